import type { Ctx, ServiceCtx, WriteCtx } from './context.ts';

/** A request that waits for another server before its transaction, so that no lock is held meanwhile. */
export type LateTransactionCtx = ServiceCtx & Pick<Ctx, 'claimKey'>;

/** The transaction of such a request. */
export const inTransaction = <T>(ctx: LateTransactionCtx, work: (inside: WriteCtx) => Promise<T>): Promise<T> =>
  ctx.db.transaction().execute(async (db) => {
    await ctx.claimKey(db);
    return work({ ...ctx, db });
  });
