import { MultiSelect } from '@mantine/core';
import { entities } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { load } from '../api/query.ts';

type Props = {
  label: string;
  description: string;
  /** Shown while none is chosen: all companies. */
  all: string;
  value: string[];
  onChange: (ids: string[]) => void;
  error?: ReactNode;
};

/** Companies to which something is limited; none is all. */
export function CompaniesField({ label, description, all, value, onChange, error }: Props) {
  const found = useQuery(load(entities.list, { query: { per_page: 100, sort_by: 'name' } }));
  return (
    <MultiSelect
      label={label}
      description={description}
      {...(error !== undefined && { error })}
      data={(found.data?.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
      value={value}
      placeholder={value.length > 0 ? '' : all}
      onChange={onChange}
      searchable
      clearable
    />
  );
}
