import { ImportPage } from './ImportPage.tsx';
import { ImportsPage } from './ImportsPage.tsx';
import { ImportKindContext, templates } from './kinds.ts';
import { NewImportPage } from './NewImportPage.tsx';

/** The pages of a template import: those of people imports with another kind. */
export const TemplateImportsPage = () => (
  <ImportKindContext value={templates}>
    <ImportsPage />
  </ImportKindContext>
);

export const NewTemplateImportPage = () => (
  <ImportKindContext value={templates}>
    <NewImportPage />
  </ImportKindContext>
);

export const TemplateImportPage = () => (
  <ImportKindContext value={templates}>
    <ImportPage />
  </ImportKindContext>
);
