import { useParams } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { attachmentCategories, attachmentImports, attachmentVisibilities } from '@tenure/contract';
import type { ReactNode } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { isId } from '../../paths.ts';
import { KindCellTexts } from './cell-texts.ts';
import type { AnyField } from './fields.ts';
import { ImportPage } from './ImportPage.tsx';
import { ImportsPage } from './ImportsPage.tsx';
import { files, ImportKindContext } from './kinds.ts';
import { NewImportPage } from './NewImportPage.tsx';
import { KindFieldNames } from './use-field-name.ts';

/** The pages of a file import: those of people imports with another kind and other field names. */
function OfFiles({ children }: { children: ReactNode }) {
  const t = useTranslations('attachmentImportField');
  const nameOf = (field: AnyField) => {
    const own = field as 'title';
    return t.has(own) ? t(own) : undefined;
  };
  return (
    <KindFieldNames value={nameOf}>
      <ImportKindContext value={files}>{children}</ImportKindContext>
    </KindFieldNames>
  );
}

export const FileImportsPage = () => (
  <OfFiles>
    <ImportsPage />
  </OfFiles>
);

export const NewFileImportPage = () => (
  <OfFiles>
    <NewImportPage />
  </OfFiles>
);

/** The displayed text of cells: sizes with a unit, categories and visibilities by name, defaults for empty cells. */
function useTexts() {
  const { id = '' } = useParams({ strict: false });
  const t = useTranslations('personDocuments');
  const format = useFormatter();
  const { data } = useQuery({ ...load(attachmentImports.get, { params: { id: Number(id) } }), enabled: isId(id) });
  return (field: string, text: string): string | undefined => {
    if (field === 'size')
      return `${format.number(Math.max(Number(text) / 1_024, 0.1), { maximumFractionDigits: 1 })} KB`;
    const value = (text || data?.data.defaults[field]) ?? '';
    const category = attachmentCategories.find((one) => field === 'category' && one === value);
    if (category) return t(`categories.${category}`);
    const visibility = attachmentVisibilities.find((one) => field === 'visibility' && one === value);
    return visibility && t(`visibilities.${visibility}`);
  };
}

export function FileImportPage() {
  const texts = useTexts();
  return (
    <OfFiles>
      <KindCellTexts value={texts}>
        <ImportPage />
      </KindCellTexts>
    </OfFiles>
  );
}
