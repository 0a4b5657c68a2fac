import { NativeSelect } from '@mantine/core';
import { attachmentCategories, attachmentVisibilities } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { useSession } from '../../api/session.tsx';
import type { Settings } from './settings.ts';

type Props = { settings: Settings; onChange: (change: Partial<Settings>) => void };

/** Category and visibility of the files of an archive. */
export function ArchiveFields({ settings, onChange }: Props) {
  const own = useTranslations('imports.attachments');
  const t = useTranslations('personDocuments');
  const { can } = useSession();
  // Identity documents are private details.
  const kinds = attachmentCategories.filter((one) => one !== 'id_document' || can('employees.view_sensitive'));
  return (
    <>
      <NativeSelect
        label={own('categoryForAll')}
        description={own('forAllHint')}
        data={kinds.map((value) => ({ value, label: t(`categories.${value}`) }))}
        value={settings.category}
        onChange={({ currentTarget: { value } }) => onChange({ category: value as Settings['category'] })}
      />
      <NativeSelect
        label={own('visibilityForAll')}
        description={own('forAllHint')}
        data={attachmentVisibilities.map((value) => ({ value, label: t(`visibilities.${value}`) }))}
        value={settings.visibility}
        onChange={({ currentTarget: { value } }) => onChange({ visibility: value as Settings['visibility'] })}
      />
    </>
  );
}
