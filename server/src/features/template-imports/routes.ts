import { templateImportCorrections, templateImports } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import { importHandlers } from '../../imports/handlers.ts';
import { templateImportKind } from './kind.ts';
import { sampleFile } from './sample.ts';

const handlers = importHandlers(templateImportKind);

export const templateImportRoutes = [
  bind(templateImports.sample, { handle: async ({ query }) => sampleFile(query.format ?? 'csv') }),
  bind(templateImports.create, handlers.create),
  bind(templateImports.list, handlers.list),
  bind(templateImports.get, handlers.get),
  bind(templateImports.update, handlers.update),
  bind(templateImports.delete, handlers.delete),
  bind(templateImports.rows, handlers.rows),
  bind(templateImports.fixRow, handlers.fixRow),
  bind(templateImportCorrections.problems, handlers.problems),
  bind(templateImportCorrections.replace, handlers.replace),
  bind(templateImportCorrections.undoReplacement, handlers.undoReplacement),
  bind(templateImports.errors, handlers.errors),
  bind(templateImports.commit, handlers.commit),
];
