import { stateOf } from '../states.ts';
import { text } from '@tenure/contract';
import type { employeeImportCorrections, employeeImports } from '@tenure/contract';
import type { Actor } from '../access/actor.ts';
import { record as recordAudit } from '../audit.ts';
import type { HandlerCtx, ReadCtx } from '../http/context.ts';
import { conflict } from '../http/errors.ts';
import { done, pageOf, read } from '../http/replies.ts';
import { commitImport } from './commit.ts';
import { fixRow, updateImport } from './edit.ts';
import { problemsOf } from './problems.ts';
import { replaceValue, undoReplacement } from './replace.ts';
import { errorsFile } from './errors-file.ts';
import type { ImportKind } from './kind.ts';
import { findImport, requireOwn } from './policy.ts';
import { answerFor, presentImport, presentStaged, summaryText } from './present.ts';
import { findRow, listImports, listRows } from './queries.ts';
import type { WholeRow } from './queries.ts';
import type { ImportRecord } from './record.ts';
import { uploadImport } from './upload.ts';
import { columnValues } from './values.ts';

type Endpoints = typeof employeeImports & typeof employeeImportCorrections;
type OneImport = ReadCtx & { params: { id: number } };
type OneRow = OneImport & { params: { row: number } };
type Acting = { actor: Actor };

export const severalTransactions = 'others must see what is at work, and a refused commit leaves its rows refreshed';

async function discard(ctx: HandlerCtx<Endpoints['delete']>, record: ImportRecord): Promise<void> {
  if (!['needs_mapping', 'preview'].includes(record.status))
    throw conflict(text('imports.cannot_be_discarded', { state: stateOf(record.status) }), record);
  await ctx.db.deleteFrom('imports').where('id', '=', record.id).execute();
  await recordAudit(ctx, { action: 'import.discarded', subject_id: record.id, subject_label: record.file_name });
}

/** How a request finds an import, and whether its actor may change it. */
function accessOf(kind: ImportKind) {
  const findLocked = (ctx: OneImport) => findImport(kind, ctx, { lock: true });
  return {
    find: (ctx: OneImport) => findImport(kind, ctx),
    own: { find: findLocked, allow: ({ actor }: Acting, record: ImportRecord) => requireOwn(actor, record) },
    ownRow: {
      find: async (ctx: OneRow) => {
        const record = await findLocked(ctx);
        return { record, row: await findRow(ctx, record.id, ctx.params.row) };
      },
      allow: ({ actor }: Acting, { record }: { record: ImportRecord }) => requireOwn(actor, record),
    },
  };
}

type Access = ReturnType<typeof accessOf>;

const readingHandlers = (kind: ImportKind, { find }: Access) => ({
  list: {
    handle: async (ctx: HandlerCtx<Endpoints['list']>) =>
      pageOf(ctx, ctx.query, await listImports(kind, ctx, ctx.query)),
  },
  get: { find, handle: async ({ actor }: Acting, record: ImportRecord) => read(presentImport(kind, actor, record)) },
  rows: {
    find,
    handle: async (ctx: HandlerCtx<Endpoints['rows']>, record: ImportRecord) =>
      pageOf(ctx, ctx.query, await listRows(kind, ctx, record, ctx.query)),
  },
  problems: {
    find,
    handle: async (ctx: HandlerCtx<Endpoints['problems']>, record: ImportRecord) =>
      read(await problemsOf(kind, ctx, record)),
  },
  values: {
    find,
    handle: async (ctx: HandlerCtx<Endpoints['values']>, record: ImportRecord) =>
      read(await columnValues(kind, ctx, record)),
  },
  errors: {
    find,
    handle: async (ctx: HandlerCtx<Endpoints['errors']>, record: ImportRecord) => errorsFile(kind, ctx, record),
  },
});

const changingHandlers = (kind: ImportKind, { find, own, ownRow }: Access) => ({
  create: {
    withoutTransaction: severalTransactions,
    handle: async (ctx: HandlerCtx<Endpoints['create']>) =>
      answerFor(kind, { ...ctx, params: { id: await uploadImport(kind, ctx) } }),
  },
  update: {
    ...own,
    handle: async (ctx: HandlerCtx<Endpoints['update']>, record: ImportRecord) => {
      await updateImport(kind, ctx, record);
      return answerFor(kind, ctx);
    },
  },
  delete: { ...own, handle: discard },
  fixRow: {
    ...ownRow,
    handle: async (ctx: HandlerCtx<Endpoints['fixRow']>, { record, row }: { record: ImportRecord; row: WholeRow }) => {
      await fixRow(kind, ctx, record, row);
      const fresh = await find(ctx);
      const corrected = await findRow(ctx, record.id, row.row);
      return done(presentStaged(kind, ctx.actor, fresh)(corrected), text('imports.row_updated'));
    },
  },
  replace: {
    ...own,
    handle: async (ctx: HandlerCtx<Endpoints['replace']>, record: ImportRecord) => {
      const replaced = await replaceValue(kind, ctx, record);
      return done(replaced, text('imports.replaced', { count: replaced.rows }));
    },
  },
  undoReplacement: {
    ...own,
    handle: async (ctx: HandlerCtx<Endpoints['undoReplacement']>, record: ImportRecord) =>
      undoReplacement(kind, ctx, record),
  },
  commit: {
    withoutTransaction: severalTransactions,
    find,
    allow: own.allow,
    handle: async (ctx: HandlerCtx<Endpoints['commit']>, found: ImportRecord) => {
      const record = await commitImport(kind, ctx, found);
      return done(presentImport(kind, ctx.actor, record), summaryText(record));
    },
  },
});

/** The handlers of every kind of import, by the name of their endpoint. */
export function importHandlers(kind: ImportKind) {
  const access = accessOf(kind);
  return { ...readingHandlers(kind, access), ...changingHandlers(kind, access) };
}
