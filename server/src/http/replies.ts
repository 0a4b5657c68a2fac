import { text } from '@tenure/contract';
import type { Ctx } from './context.ts';
import type { Message } from './errors.ts';
import { paginate } from './paging.ts';
import type { PageQuery } from './paging.ts';

/** `{data, message}` of a read. */
export const read = <T>(data: T) => ({ data, message: text('general.done') });

/** `{data, message}` of something created or done. */
export const done = <T>(data: T, message: Message) => ({ data, message });

/** A page of a list, with the request's own address in its links. */
export const pageOf = <Row>(
  ctx: Pick<Ctx, 'deps' | 'request'>,
  query: PageQuery,
  result: { rows: Row[]; total: number },
) => paginate({ config: ctx.deps.config, url: ctx.request.url }, query, result);
