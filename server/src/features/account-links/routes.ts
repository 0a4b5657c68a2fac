import { accountLinks, text } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import { read } from '../../http/replies.ts';
import { checkLink, redeemLink } from './redeem.ts';
import { requestReset, requireRequests } from './requests.ts';
import { settleAddress } from './settle.ts';

const withoutTransaction = 'the counters of failed tries must survive the 422';

export const accountLinkRoutes = [
  bind(accountLinks.check, {
    withoutTransaction,
    handle: async (ctx) => read(await checkLink(ctx, ctx.body.token)),
  }),
  bind(accountLinks.redeem, {
    withoutTransaction,
    handle: async (ctx) => {
      await redeemLink(ctx, ctx.body);
      return { message: text('account.password_set') };
    },
  }),
  bind(accountLinks.settle, {
    withoutTransaction,
    handle: async (ctx) => ({ message: await settleAddress(ctx, ctx.body.token) }),
  }),
  bind(accountLinks.requestReset, {
    // before the fields, so that an installation without it has no such address
    find: requireRequests,
    handle: (ctx) => requestReset(ctx, ctx.body.email),
  }),
];
