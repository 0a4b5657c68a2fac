import { search } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import { read } from '../../http/replies.ts';
import { findEverywhere } from './queries.ts';

export const searchRoutes = [
  bind(search.find, {
    handle: async (ctx) => read(await findEverywhere(ctx, ctx.query)),
  }),
];
