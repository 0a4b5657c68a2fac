import { MultiSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { Endpoint } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Input } from '../api/call.ts';
import { load } from '../api/query.ts';
import classes from './MultiFilter.module.css';

type Shared = {
  label: string;
  values: readonly string[];
  onChange: (values: string[]) => void;
  /** Shows the label above the field instead of inside it. */
  labelled?: boolean;
};

type Option = { value: string; label: string };
type FieldProps = Shared & { options: readonly Option[]; placeholder: string; onSearch?: (text: string) => void };

/** A filter of a list with several values. Selected values are ticked in its list; the page shows them as chips. */
export function MultiFilter({ label, labelled = true, values, options, placeholder, onChange, onSearch }: FieldProps) {
  const t = useTranslations('form');
  return (
    <MultiSelect
      {...(labelled ? { label } : { 'aria-label': label })}
      placeholder={values.length > 0 ? t('selected', { count: values.length }) : placeholder}
      classNames={{ pill: classes['pill'] ?? '', inputField: classes['field'] ?? '' }}
      data={options}
      value={[...values]}
      onChange={onChange}
      searchable
      openOnFocus={false}
      maxDropdownHeight={320}
      {...(onSearch && { onSearchChange: onSearch, filter: ({ options: found }) => found })}
    />
  );
}

type Row = { id: number; name?: string; display_name?: string };
type RecordProps = Shared & {
  list: Endpoint;
  query?: Record<string, unknown>;
  sortBy?: string;
  placeholder: string;
  /** The displayed name of a record, if it differs from the stored one. */
  nameOf?: (name: string) => string;
  /** An option for records without a value. */
  none?: Option;
};

const asStored = (name: string) => name;

/** The same with options from a list endpoint, which the service searches. */
export function RecordMultiFilter({
  list,
  query = {},
  sortBy = 'name',
  nameOf = asStored,
  none,
  ...field
}: RecordProps) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 200);
  const found = useQuery({
    ...load(list, { query: { ...query, per_page: 100, sort_by: sortBy, search } } as unknown as Input<Endpoint>),
    placeholderData: (previous) => previous,
  });
  const rows = ((found.data ?? { data: [] }) as { data: Row[] }).data;
  const options = rows.map(({ id, name = '', display_name }) => ({
    value: String(id),
    label: display_name ?? nameOf(name),
  }));
  return <MultiFilter {...field} options={none ? [none, ...options] : options} onSearch={setTyped} />;
}
