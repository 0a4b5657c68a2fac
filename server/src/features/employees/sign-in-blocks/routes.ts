import { signInBlocks, text } from '@tenure/contract';
import { bind } from '../../../http/context.ts';
import { done } from '../../../http/replies.ts';
import { lettingIn } from '../lifecycle/routes.ts';
import { allowByHand, blockByHand, liftBlock, listBlocks, lockBlock } from './blocks.ts';

// users who decide about the actor are protected: the actor can neither block nor unblock them
const another = lettingIn('employees.reset_password', { needs: 'way_in' });

export const signInBlockRoutes = [
  bind(signInBlocks.list, { handle: async (ctx) => ({ data: await listBlocks(ctx, ctx.params.id) }) }),
  bind(signInBlocks.lift, {
    find: (ctx) => lockBlock(ctx, ctx.params.id, ctx.params.blockId),
    allow: async (ctx, { by_hand }) => {
      if (by_hand) await another.allow(ctx, await another.find(ctx));
    },
    handle: liftBlock,
  }),
  bind(signInBlocks.block, {
    ...another,
    handle: async (ctx, person) =>
      done(await blockByHand(ctx, person, ctx.body.reason), text('account.sign_in_blocked')),
  }),
  bind(signInBlocks.allow, { ...another, handle: allowByHand }),
];
