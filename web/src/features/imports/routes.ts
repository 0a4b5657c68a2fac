import { createRoute } from '@tanstack/react-router';
import { shell } from '../../auth-routes.tsx';
import { lazyScreen } from '../../layout/lazy-screen.ts';
import { paths } from '../../paths.ts';
import { importSearch, importsSearch, newImportSearch } from './search.ts';

const imports = createRoute({
  getParentRoute: () => shell,
  path: paths.imports,
  validateSearch: importsSearch,
  component: lazyScreen(() => import('./ImportsPage.tsx'), 'ImportsPage', 'imports'),
});

const newImport = createRoute({
  getParentRoute: () => shell,
  path: paths.newImport,
  validateSearch: newImportSearch,
  component: lazyScreen(() => import('./NewImportPage.tsx'), 'NewImportPage', 'imports', 'fields'),
});

const oneImport = createRoute({
  getParentRoute: () => shell,
  path: paths.import,
  validateSearch: importSearch,
  component: lazyScreen(() => import('./ImportPage.tsx'), 'ImportPage', 'imports'),
});

const newHistoryImport = createRoute({
  getParentRoute: () => shell,
  path: paths.newHistoryImport,
  component: lazyScreen(() => import('./HistoryImports.tsx'), 'NewHistoryImportPage', 'imports', 'fields'),
});

const historyImports = createRoute({
  getParentRoute: () => shell,
  path: paths.historyImports,
  validateSearch: importsSearch,
  component: lazyScreen(() => import('./HistoryImports.tsx'), 'HistoryImportsPage', 'imports', 'fields'),
});

const historyImport = createRoute({
  getParentRoute: () => shell,
  path: paths.historyImport,
  validateSearch: importSearch,
  component: lazyScreen(() => import('./HistoryImports.tsx'), 'HistoryImportPage', 'imports', 'fields'),
});

const newFileImport = createRoute({
  getParentRoute: () => shell,
  path: paths.newFileImport,
  component: lazyScreen(
    () => import('./FileImports.tsx'),
    'NewFileImportPage',
    'imports',
    'fields',
    'person-documents',
    'attachment-import-fields',
  ),
});

const fileImports = createRoute({
  getParentRoute: () => shell,
  path: paths.fileImports,
  validateSearch: importsSearch,
  component: lazyScreen(
    () => import('./FileImports.tsx'),
    'FileImportsPage',
    'imports',
    'fields',
    'person-documents',
    'attachment-import-fields',
  ),
});

const fileImport = createRoute({
  getParentRoute: () => shell,
  path: paths.fileImport,
  validateSearch: importSearch,
  component: lazyScreen(
    () => import('./FileImports.tsx'),
    'FileImportPage',
    'imports',
    'fields',
    'person-documents',
    'attachment-import-fields',
  ),
});

const newKpiTemplateImport = createRoute({
  getParentRoute: () => shell,
  path: paths.newKpiTemplateImport,
  component: lazyScreen(
    () => import('./TemplateImports.tsx'),
    'NewTemplateImportPage',
    'imports',
    'fields',
    'template-import-fields',
  ),
});

const kpiTemplateImports = createRoute({
  getParentRoute: () => shell,
  path: paths.kpiTemplateImports,
  validateSearch: importsSearch,
  component: lazyScreen(
    () => import('./TemplateImports.tsx'),
    'TemplateImportsPage',
    'imports',
    'fields',
    'template-import-fields',
  ),
});

const kpiTemplateImport = createRoute({
  getParentRoute: () => shell,
  path: paths.kpiTemplateImport,
  validateSearch: importSearch,
  component: lazyScreen(
    () => import('./TemplateImports.tsx'),
    'TemplateImportPage',
    'imports',
    'fields',
    'template-import-fields',
  ),
});

const newFormerResultImport = createRoute({
  getParentRoute: () => shell,
  path: paths.newFormerResultImport,
  component: lazyScreen(
    () => import('./FormerResultImports.tsx'),
    'NewFormerResultImportPage',
    'imports',
    'fields',
    'former-result-fields',
  ),
});

const formerResultImports = createRoute({
  getParentRoute: () => shell,
  path: paths.formerResultImports,
  validateSearch: importsSearch,
  component: lazyScreen(
    () => import('./FormerResultImports.tsx'),
    'FormerResultImportsPage',
    'imports',
    'fields',
    'former-result-fields',
  ),
});

const formerResultImport = createRoute({
  getParentRoute: () => shell,
  path: paths.formerResultImport,
  validateSearch: importSearch,
  component: lazyScreen(
    () => import('./FormerResultImports.tsx'),
    'FormerResultImportPage',
    'imports',
    'fields',
    'former-result-fields',
  ),
});

/** The routes of every kind of import. */
export const importRoutes = [
  imports,
  newImport,
  oneImport,
  newHistoryImport,
  historyImports,
  historyImport,
  newFileImport,
  fileImports,
  fileImport,
  newKpiTemplateImport,
  kpiTemplateImports,
  kpiTemplateImport,
  newFormerResultImport,
  formerResultImports,
  formerResultImport,
] as const;
