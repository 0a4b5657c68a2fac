import type { Ctx, ServiceCtx, WriteCtx } from './context.ts';

/** A request that asks the outside before its transaction, so that no lock waits for the answer. */
export type AskingFirst = ServiceCtx & Pick<Ctx, 'claimKey'>;

/** The transaction of such a request. */
export const inTransaction = <T>(ctx: AskingFirst, work: (inside: WriteCtx) => Promise<T>): Promise<T> =>
  ctx.db.transaction().execute(async (db) => {
    await ctx.claimKey(db);
    return work({ ...ctx, db });
  });
