import { accountLinks, text } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import { read } from '../../http/replies.ts';
import { checkLink, linkOptions, redeemLink } from './redeem.ts';
import { requestReset, requireRequests } from './requests.ts';
import { settleAddress } from './settle.ts';

const withoutTransaction = 'the counters of failed tries must survive the 422';

export const accountLinkRoutes = [
  bind(accountLinks.check, {
    withoutTransaction,
    handle: async (ctx) => read(await checkLink(ctx, ctx.body.token)),
  }),
  bind(accountLinks.options, {
    withoutTransaction,
    handle: async (ctx) => read(await linkOptions(ctx, ctx.body.token)),
  }),
  bind(accountLinks.redeem, {
    withoutTransaction,
    handle: async (ctx) => {
      await redeemLink(ctx, ctx.body);
      const { sessionCookies } = ctx.deps;
      if (ctx.body.credential)
        ctx.setCookies([...sessionCookies.sameCookies(ctx.credentials), sessionCookies.endFlow('passkey')]);
      return { message: text('account.password_set') };
    },
  }),
  bind(accountLinks.settle, {
    withoutTransaction,
    handle: async (ctx) => ({ message: await settleAddress(ctx, ctx.body.token) }),
  }),
  bind(accountLinks.requestReset, {
    // before the validation of fields, so that the endpoint answers 404 where it is switched off
    find: requireRequests,
    handle: (ctx) => requestReset(ctx, ctx.body.email),
  }),
];
