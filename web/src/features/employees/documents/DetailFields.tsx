import { NativeSelect, TextInput } from '@mantine/core';
import { attachmentCategories, attachmentVisibilities } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { useSession } from '../../../api/session.tsx';
import type { Details } from './use-uploads.ts';

type Props = {
  details: Details;
  onChange: (details: Partial<Details>) => void;
  errors: Readonly<Record<string, string>>;
  disabled?: boolean;
};

/** The title, category and visibility of a file. */
export function DetailFields({ details, onChange, errors, disabled = false }: Props) {
  const t = useTranslations('personDocuments');
  const { can } = useSession();
  // Identity documents are private details.
  const kinds = attachmentCategories.filter((one) => one !== 'id_document' || can('employees.view_sensitive'));
  const error = (name: string) => (errors[name] === undefined ? {} : { error: errors[name] });
  return (
    <>
      <TextInput
        label={t('name')}
        value={details.title}
        maxLength={150}
        disabled={disabled}
        {...error('title')}
        onChange={({ currentTarget: { value } }) => onChange({ title: value })}
      />
      <NativeSelect
        label={t('category')}
        value={details.category}
        disabled={disabled}
        data={kinds.map((value) => ({ value, label: t(`categories.${value}`) }))}
        {...error('category')}
        onChange={({ currentTarget: { value } }) => onChange({ category: value as Details['category'] })}
      />
      <NativeSelect
        label={t('visibility')}
        value={details.visibility}
        disabled={disabled}
        data={attachmentVisibilities.map((value) => ({ value, label: t(`visibilities.${value}`) }))}
        {...error('visibility')}
        onChange={({ currentTarget: { value } }) => onChange({ visibility: value as Details['visibility'] })}
      />
    </>
  );
}
