import { employeeImportCorrections, employeeImports } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import { importHandlers } from '../../imports/handlers.ts';
import { findImport } from '../../imports/policy.ts';
import { answerFor } from '../../imports/present.ts';
import { employeeImportKind } from './kind.ts';
import { sampleFile } from './sample.ts';
import { undoImport } from './undo.ts';

const handlers = importHandlers(employeeImportKind);

export const importRoutes = [
  bind(employeeImports.sample, { handle: async ({ query }) => sampleFile(query.format ?? 'csv') }),
  bind(employeeImports.create, handlers.create),
  bind(employeeImports.list, handlers.list),
  bind(employeeImports.get, handlers.get),
  bind(employeeImports.update, handlers.update),
  bind(employeeImports.delete, handlers.delete),
  bind(employeeImports.rows, handlers.rows),
  bind(employeeImports.fixRow, handlers.fixRow),
  bind(employeeImportCorrections.problems, handlers.problems),
  bind(employeeImportCorrections.values, handlers.values),
  bind(employeeImportCorrections.replace, handlers.replace),
  bind(employeeImportCorrections.undoReplacement, handlers.undoReplacement),
  bind(employeeImports.errors, handlers.errors),
  bind(employeeImports.commit, handlers.commit),
  bind(employeeImports.undo, {
    find: (ctx) => findImport(employeeImportKind, ctx, { lock: true }),
    handle: async (ctx, record) => {
      await undoImport(ctx, record);
      return answerFor(employeeImportKind, ctx);
    },
  }),
];
