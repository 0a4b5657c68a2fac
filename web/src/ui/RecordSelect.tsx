import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { Endpoint } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Input } from '../api/call.ts';
import { load } from '../api/query.ts';

type Named = { id: number; name: string };

type Props = {
  label: string;
  /** A list endpoint whose rows have a name. */
  list: Endpoint;
  query?: Record<string, unknown>;
  value: number | undefined;
  onChange: (id: number | undefined) => void;
  /** Shows the label above the field instead of inside it. */
  labelled?: boolean;
  /** The name of the value, which may not be among the loaded options. */
  known?: Named | undefined;
  /** The endpoint of one record, to read the name of an unknown value. */
  one?: Endpoint;
  placeholder?: string;
  description?: string;
  disabled?: boolean;
  required?: boolean;
  /** False for a select that is not a form field and is never empty. */
  clearable?: boolean;
  error?: string | undefined;
  /** Why there is nothing to choose, before the user searches. */
  none?: string;
};

type Source = Pick<Props, 'list' | 'value'> & {
  query: Record<string, unknown>;
  known: Named | undefined;
  one: Endpoint | undefined;
};

/** The records that match the typed text, with the chosen one if it is not among them. */
function useOptions({ list, query, value, known, one }: Source, typed: string) {
  const [search] = useDebouncedValue(typed.trim(), 200);
  const found = useQuery({
    ...load(list, { query: { ...query, per_page: 100, sort_by: 'name', search } } as unknown as Input<Endpoint>),
    placeholderData: (previous) => previous,
  });
  const listed = ((found.data ?? { data: [] }) as { data: Named[] }).data;
  const missing = value !== undefined && !listed.some(({ id }) => id === value);
  const asked = useQuery({
    ...load(one ?? list, { params: { id: value ?? 0 } } as unknown as Input<Endpoint>),
    enabled: missing && found.isSuccess && search === '' && one !== undefined && known?.id !== value,
    retry: false,
  });
  const chosen = known?.id === value ? known : (asked.data as { data: Named } | undefined)?.data;
  const rows = missing && chosen ? [{ id: chosen.id, name: chosen.name }, ...listed] : listed;
  return { rows, search, isFetching: found.isFetching };
}

/** A select of one record of a list; the service searches, so the list may be long. */
export function RecordSelect({ label, list, query = {}, value, onChange, labelled = false, ...field }: Props) {
  const t = useTranslations('personPicker');
  const { error, known, one, none, ...rest } = field;
  const [typed, setTyped] = useState('');
  const { rows, search, isFetching } = useOptions({ list, query, value, known, one }, typed);
  return (
    <Select
      {...rest}
      {...(labelled ? { label } : { 'aria-label': label, placeholder: rest.placeholder ?? label })}
      data={rows.map((row) => ({ value: String(row.id), label: row.name }))}
      value={value === undefined ? null : String(value)}
      onChange={(id) => onChange(id === null ? undefined : Number(id))}
      searchable
      openOnFocus={false}
      clearable={rest.clearable ?? rest.required !== true}
      // The input holds the chosen name; searching for it would hide all other options.
      onSearchChange={(text) => setTyped(rows.some((row) => row.name === text) ? '' : text)}
      filter={({ options }) => options}
      nothingFoundMessage={isFetching ? undefined : (search === '' && none) || t('nobody')}
      maxDropdownHeight={320}
      {...(error !== undefined && { error })}
    />
  );
}
