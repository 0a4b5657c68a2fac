import { accountLinks, text } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import { read } from '../../http/replies.ts';
import { checkLink, redeemLink } from './redeem.ts';

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
];
