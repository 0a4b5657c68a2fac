import { historyImportCorrections, historyImports } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import { importHandlers } from '../../imports/handlers.ts';
import { findImport } from '../../imports/policy.ts';
import { answerFor } from '../../imports/present.ts';
import { undoImport } from '../../imports/undo.ts';
import { historyImportKind } from './kind.ts';
import { sampleFile } from './sample.ts';
import { historyUndo } from './undo.ts';

const handlers = importHandlers(historyImportKind);

export const historyImportRoutes = [
  bind(historyImports.sample, { handle: async ({ query }) => sampleFile(query.format ?? 'csv') }),
  bind(historyImports.create, handlers.create),
  bind(historyImports.list, handlers.list),
  bind(historyImports.get, handlers.get),
  bind(historyImports.update, handlers.update),
  bind(historyImports.delete, handlers.delete),
  bind(historyImports.rows, handlers.rows),
  bind(historyImports.fixRow, handlers.fixRow),
  bind(historyImportCorrections.problems, handlers.problems),
  bind(historyImportCorrections.values, handlers.values),
  bind(historyImportCorrections.replace, handlers.replace),
  bind(historyImportCorrections.undoReplacement, handlers.undoReplacement),
  bind(historyImports.errors, handlers.errors),
  bind(historyImports.commit, handlers.commit),
  bind(historyImports.undo, {
    find: (ctx) => findImport(historyImportKind, ctx, { lock: true }),
    handle: async (ctx, record) => {
      await undoImport(historyUndo, ctx, record);
      return answerFor(historyImportKind, ctx);
    },
  }),
];
