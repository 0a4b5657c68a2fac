import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { Endpoint } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
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
  /** Show the label above the field instead of inside it. */
  labelled?: boolean;
  description?: string;
  disabled?: boolean;
  error?: string | undefined;
};

/** Picks one record of a list; the service searches, so the list may be long. */
export function RecordSelect({ label, list, query = {}, value, onChange, labelled = false, ...field }: Props) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 200);
  const found = useQuery({
    ...load(list, { query: { ...query, per_page: 100, sort_by: 'name', search } } as unknown as Input<Endpoint>),
    placeholderData: (previous) => previous,
  });
  const rows = ((found.data ?? { data: [] }) as { data: Named[] }).data;
  const { error, ...rest } = field;
  return (
    <Select
      {...rest}
      {...(labelled ? { label } : { 'aria-label': label, placeholder: label })}
      data={rows.map((row) => ({ value: String(row.id), label: row.name }))}
      value={value === undefined ? null : String(value)}
      onChange={(chosen) => onChange(chosen === null ? undefined : Number(chosen))}
      searchable
      clearable
      // The chosen name stands in the field; searching for it would hide all the others.
      onSearchChange={(text) => setTyped(rows.some((row) => row.name === text) ? '' : text)}
      filter={({ options }) => options}
      maxDropdownHeight={320}
      {...(error !== undefined && { error })}
    />
  );
}
