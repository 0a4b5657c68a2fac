import { actionableItems, singleReads } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import { pageOf, read } from '../../http/replies.ts';
import { countItems, findItem, listItems } from './queries.ts';

export const actionableItemRoutes = [
  bind(actionableItems.list, { handle: async (ctx) => pageOf(ctx, ctx.query, await listItems(ctx, ctx.query)) }),
  bind(singleReads.actionableItem, {
    find: (ctx) => findItem(ctx, ctx.params.id),
    handle: async (_ctx, found) => read(found),
  }),
  bind(actionableItems.counts, { handle: async (ctx) => read(await countItems(ctx)) }),
];
