import { formerResultImports } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import { importHandlers } from '../../imports/handlers.ts';
import { findImport } from '../../imports/policy.ts';
import { answerFor } from '../../imports/present.ts';
import { undoImport } from '../../imports/undo.ts';
import { formerResultImportKind } from './kind.ts';
import { sampleFile } from './sample.ts';
import { resultsUndo } from './undo.ts';

const handlers = importHandlers(formerResultImportKind);

export const formerResultImportRoutes = [
  bind(formerResultImports.sample, { handle: async ({ query }) => sampleFile(query.format ?? 'csv') }),
  bind(formerResultImports.create, handlers.create),
  bind(formerResultImports.list, handlers.list),
  bind(formerResultImports.get, handlers.get),
  bind(formerResultImports.update, handlers.update),
  bind(formerResultImports.delete, handlers.delete),
  bind(formerResultImports.rows, handlers.rows),
  bind(formerResultImports.fixRow, handlers.fixRow),
  bind(formerResultImports.problems, handlers.problems),
  bind(formerResultImports.values, handlers.values),
  bind(formerResultImports.replace, handlers.replace),
  bind(formerResultImports.undoReplacement, handlers.undoReplacement),
  bind(formerResultImports.errors, handlers.errors),
  bind(formerResultImports.commit, handlers.commit),
  bind(formerResultImports.undo, {
    find: (ctx) => findImport(formerResultImportKind, ctx, { lock: true }),
    handle: async (ctx, record) => {
      await undoImport(resultsUndo, ctx, record);
      return answerFor(formerResultImportKind, ctx);
    },
  }),
];
