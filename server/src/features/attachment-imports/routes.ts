import { attachmentImportCorrections, attachmentImports } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import { importHandlers, severalTransactions } from '../../imports/handlers.ts';
import { findImport } from '../../imports/policy.ts';
import { answerFor } from '../../imports/present.ts';
import { undoImport } from '../../imports/undo.ts';
import { attachmentImportKind } from './kind.ts';
import { sampleArchive } from './sample.ts';
import { filesUndo } from './undo.ts';
import { uploadArchive } from './upload.ts';

const handlers = importHandlers(attachmentImportKind);

export const attachmentImportRoutes = [
  bind(attachmentImports.sample, { handle: async () => sampleArchive() }),
  bind(attachmentImports.create, {
    withoutTransaction: severalTransactions,
    handle: async (ctx) => answerFor(attachmentImportKind, { ...ctx, params: { id: await uploadArchive(ctx) } }),
  }),
  bind(attachmentImports.list, handlers.list),
  bind(attachmentImports.get, handlers.get),
  bind(attachmentImports.update, handlers.update),
  bind(attachmentImports.delete, handlers.delete),
  bind(attachmentImports.rows, handlers.rows),
  bind(attachmentImports.fixRow, handlers.fixRow),
  bind(attachmentImportCorrections.problems, handlers.problems),
  bind(attachmentImportCorrections.replace, handlers.replace),
  bind(attachmentImportCorrections.undoReplacement, handlers.undoReplacement),
  bind(attachmentImports.errors, handlers.errors),
  bind(attachmentImports.commit, handlers.commit),
  bind(attachmentImports.undo, {
    find: (ctx) => findImport(attachmentImportKind, ctx, { lock: true }),
    handle: async (ctx, record) => {
      await undoImport(filesUndo, ctx, record);
      return answerFor(attachmentImportKind, ctx);
    },
  }),
];
