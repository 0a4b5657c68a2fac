import { ImportPage } from './ImportPage.tsx';
import { ImportsPage } from './ImportsPage.tsx';
import { history, ImportKindContext } from './kinds.ts';
import { NewImportPage } from './NewImportPage.tsx';

/** The pages of an import of former jobs: those of people imports with another kind. */
export const HistoryImportsPage = () => (
  <ImportKindContext value={history}>
    <ImportsPage />
  </ImportKindContext>
);

export const NewHistoryImportPage = () => (
  <ImportKindContext value={history}>
    <NewImportPage />
  </ImportKindContext>
);

export const HistoryImportPage = () => (
  <ImportKindContext value={history}>
    <ImportPage />
  </ImportKindContext>
);
