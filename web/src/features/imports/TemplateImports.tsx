import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { AnyField } from './fields.ts';
import { ImportPage } from './ImportPage.tsx';
import { ImportsPage } from './ImportsPage.tsx';
import { ImportKindContext, templates } from './kinds.ts';
import { NewImportPage } from './NewImportPage.tsx';
import { KindFieldNames } from './use-field-name.ts';

/** The pages of a template import: those of people imports with another kind and other field names. */
function OfTemplates({ children }: { children: ReactNode }) {
  const t = useTranslations('templateImportField');
  const nameOf = (field: AnyField) => {
    const own = field as 'template_name';
    return t.has(own) ? t(own) : undefined;
  };
  return (
    <KindFieldNames value={nameOf}>
      <ImportKindContext value={templates}>{children}</ImportKindContext>
    </KindFieldNames>
  );
}

export const TemplateImportsPage = () => (
  <OfTemplates>
    <ImportsPage />
  </OfTemplates>
);

export const NewTemplateImportPage = () => (
  <OfTemplates>
    <NewImportPage />
  </OfTemplates>
);

export const TemplateImportPage = () => (
  <OfTemplates>
    <ImportPage />
  </OfTemplates>
);
