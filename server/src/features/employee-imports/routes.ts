import { employeeImports } from '@tenure/contract';
import { record as recordAudit } from '../../audit.ts';
import { bind } from '../../http/context.ts';
import type { Ctx } from '../../http/context.ts';
import { conflict } from '../../http/errors.ts';
import { done, pageOf, read } from '../../http/replies.ts';
import { commitImport } from './commit.ts';
import { fixRow, updateImport } from './edit.ts';
import { errorsFile } from './errors-file.ts';
import { findImport, requireOwn } from './policy.ts';
import { answerFor, presentImport, presentStaged, told } from './present.ts';
import { findRow, listImports, listRows } from './queries.ts';
import type { ImportRecord } from './record.ts';
import { sampleFile } from './sample.ts';
import { undoImport } from './undo.ts';
import { uploadImport } from './upload.ts';

type OneImport = Pick<Ctx, 'db' | 'actor'> & { params: { id: number } };

const find = (ctx: OneImport) => findImport(ctx);
const findLocked = (ctx: OneImport) => findImport(ctx, { lock: true });
const allow = ({ actor }: Pick<Ctx, 'actor'>, record: ImportRecord) => requireOwn(actor, record);

const severalTransactions = 'others must see what is at work, and a refused commit leaves its rows refreshed';

export const importRoutes = [
  bind(employeeImports.sample, { handle: async ({ query }) => sampleFile(query.format ?? 'csv') }),
  bind(employeeImports.create, {
    withoutTransaction: severalTransactions,
    handle: async (ctx) => answerFor({ ...ctx, params: { id: await uploadImport(ctx) } }),
  }),
  bind(employeeImports.list, { handle: async (ctx) => pageOf(ctx, ctx.query, await listImports(ctx, ctx.query)) }),
  bind(employeeImports.get, { find, handle: async ({ actor }, record) => read(presentImport(actor, record)) }),
  bind(employeeImports.update, {
    find: findLocked,
    allow,
    handle: async (ctx, record) => {
      await updateImport(ctx, record);
      return answerFor(ctx);
    },
  }),
  bind(employeeImports.delete, {
    find: findLocked,
    allow,
    handle: async (ctx, record) => {
      if (!['needs_mapping', 'preview'].includes(record.status))
        throw conflict(`An import that is ${record.status.replaceAll('_', ' ')} cannot be discarded.`, record);
      await ctx.db.deleteFrom('imports').where('id', '=', record.id).execute();
      await recordAudit(ctx, { action: 'import.discarded', subject_id: record.id, subject_label: record.file_name });
    },
  }),
  bind(employeeImports.rows, {
    find,
    handle: async (ctx, record) => pageOf(ctx, ctx.query, await listRows(ctx, record, ctx.query)),
  }),
  bind(employeeImports.fixRow, {
    find: async (ctx) => {
      const record = await findImport(ctx, { lock: true });
      return { record, row: await findRow(ctx, record.id, ctx.params.row) };
    },
    allow: ({ actor }, { record }) => requireOwn(actor, record),
    handle: async (ctx, { record, row }) => {
      await fixRow(ctx, record, row);
      const fresh = await findImport(ctx);
      const corrected = await findRow(ctx, record.id, row.row);
      return done(presentStaged(ctx.actor, fresh)(corrected), 'Row updated successfully.');
    },
  }),
  bind(employeeImports.errors, { find, handle: async (ctx, record) => errorsFile(ctx, record) }),
  bind(employeeImports.commit, {
    withoutTransaction: severalTransactions,
    find,
    allow,
    handle: async (ctx, found) => {
      const record = await commitImport(ctx, found);
      return done(presentImport(ctx.actor, record), told(record));
    },
  }),
  bind(employeeImports.undo, {
    find: findLocked,
    handle: async (ctx, record) => {
      await undoImport(ctx, record);
      return answerFor(ctx);
    },
  }),
];
