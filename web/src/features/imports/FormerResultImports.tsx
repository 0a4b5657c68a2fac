import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { AnyField } from './fields.ts';
import { ImportPage } from './ImportPage.tsx';
import { ImportsPage } from './ImportsPage.tsx';
import { ImportKindContext, results } from './kinds.ts';
import { NewImportPage } from './NewImportPage.tsx';
import { KindFieldNames } from './use-field-name.ts';

/** The pages of an import of former results: those of people imports with another kind and other field names. */
function OfResults({ children }: { children: ReactNode }) {
  const t = useTranslations('formerResultField');
  const nameOf = (field: AnyField) => {
    const own = field as 'period';
    return t.has(own) ? t(own) : undefined;
  };
  return (
    <KindFieldNames value={nameOf}>
      <ImportKindContext value={results}>{children}</ImportKindContext>
    </KindFieldNames>
  );
}

export const FormerResultImportsPage = () => (
  <OfResults>
    <ImportsPage />
  </OfResults>
);

export const NewFormerResultImportPage = () => (
  <OfResults>
    <NewImportPage />
  </OfResults>
);

export const FormerResultImportPage = () => (
  <OfResults>
    <ImportPage />
  </OfResults>
);
