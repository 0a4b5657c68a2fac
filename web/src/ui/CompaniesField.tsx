import { MultiSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { entities } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { load } from '../api/query.ts';
import { useCompanyNames } from './company-names.ts';

type Company = { id: number; name: string };

type Props = {
  label: string;
  description?: string;
  /** Shown if no company is selected, such as: all companies. */
  all: string;
  value: string[];
  onChange: (ids: string[]) => void;
  /** The only companies to choose from; without it, the service searches all. */
  offered?: readonly Company[] | null | undefined;
  /** Companies whose names are already known. */
  known?: readonly Company[];
  /** Can the user list companies? */
  mayList?: boolean;
  error?: ReactNode;
  className?: string | undefined;
  disabled?: boolean;
  required?: boolean;
};

/** The companies to which a record is limited; empty for all. The service searches, so there may be many. */
export function CompaniesField({ label, all, value, onChange, offered, known, mayList = true, ...field }: Props) {
  const { error, className, ...rest } = field;
  const [typed, setTyped] = useState('');
  const { names, listed, remember } = useCompanies(typed, { value, offered, known, mayList });
  return (
    <MultiSelect
      {...rest}
      className={className ?? ''}
      label={label}
      {...(error !== undefined && { error })}
      data={[...names].map(([id, name]) => ({ value: id, label: name }))}
      value={value}
      placeholder={value.length > 0 ? '' : all}
      onChange={(ids) => {
        remember(ids);
        onChange(ids);
      }}
      searchable
      openOnFocus={false}
      onSearchChange={setTyped}
      filter={({ options }) => options.filter((one) => 'value' in one && listed.has(one.value))}
      maxDropdownHeight={320}
      clearable
    />
  );
}

const matches = ({ name }: Company, typed: string) =>
  name.toLocaleLowerCase().includes(typed.trim().toLocaleLowerCase());

type Wanted = { [K in 'offered' | 'known' | 'mayList']: Props[K] } & { value: string[] };

/** The names of all companies of the field, and the options for a typed text. */
function useCompanies(typed: string, { value, offered, known = [], mayList }: Wanted) {
  const [search] = useDebouncedValue(typed.trim(), 200);
  const [seen, setSeen] = useState<readonly Company[]>([]);
  const enabled = !offered && mayList === true;
  const ask = (text?: string) => load(entities.list, { query: { per_page: 100, sort_by: 'name', search: text } });
  const first = useQuery({ ...ask(), enabled });
  const found = useQuery({ ...ask(search || undefined), enabled, placeholderData: keepPreviousData });
  const rows: readonly Company[] = offered ?? found.data?.data ?? [];
  // matching options of the previous search stay, so that the list does not move under a click
  const isSearching = found.isFetching || search !== typed.trim();
  const shown = offered || isSearching ? rows.filter((one) => matches(one, typed)) : rows;
  const listed = first.data?.data ?? [];
  const names = new Map([...known, ...seen, ...listed, ...rows].map(({ id, name }) => [String(id), name]));
  const unnamed = value.filter((id) => !names.has(id));
  const isLong = first.data !== undefined && first.data.meta.total > listed.length;
  const read = useCompanyNames(isLong ? unnamed.map(Number) : []);
  for (const id of unnamed) names.set(id, read.get(Number(id)) ?? `#${id}`);
  // a selected company keeps its name during a search for others
  const remember = (ids: readonly string[]) =>
    setSeen(ids.map((id) => ({ id: Number(id), name: names.get(id) ?? `#${id}` })));
  return { names, listed: new Set(shown.map(({ id }) => String(id))), remember };
}
