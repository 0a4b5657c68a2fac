import { Flex, Select, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { employees, type EmployeeRow } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { load } from '../api/query.ts';
import { PersonAvatar } from './PersonAvatar.tsx';

type Props = {
  label: string;
  value: number | undefined;
  onChange: (id: number | undefined, person?: EmployeeRow) => void;
  /** The name of the value, if it is already known; otherwise it is read. */
  known?: string | undefined;
  /** Filters the offered people; by default only active ones. */
  query?: Record<string, unknown>;
  /** The id of a person who is never offered, such as the subject of the record. */
  except?: number;
  /** Shows the label above the field instead of inside it. */
  labelled?: boolean;
  description?: string;
  error?: string | undefined;
  required?: boolean;
  disabled?: boolean;
  placeholder?: string;
  name?: string;
};

/** A select of people by name, number or mail address; the service searches. */
export function PersonPicker({ label, value, onChange, known, query, except, labelled = true, ...rest }: Props) {
  const t = useTranslations('personPicker');
  const { error, placeholder = t('placeholder'), ...field } = rest;
  const [typed, setTyped] = useState('');
  const { people, current, isSearching } = usePeople(typed, { value, known, query, except });
  return (
    <Select
      {...field}
      {...(labelled ? { label, placeholder } : { 'aria-label': label, placeholder: label })}
      {...(error !== undefined && { error })}
      data={people.map(({ id, display_name }) => ({ value: String(id), label: display_name }))}
      value={value === undefined ? null : String(value)}
      onChange={(id) => {
        const person = people.find((one) => String(one.id) === id);
        onChange(person?.id, person && 'job_title' in person ? (person as EmployeeRow) : undefined);
      }}
      searchable
      openOnFocus={false}
      clearable={field.required !== true}
      // The input holds the chosen name; searching for it would hide all other people.
      onSearchChange={(text) => setTyped(text === current ? '' : text)}
      filter={({ options }) => options}
      renderOption={({ option }) => <PersonOption person={people.find(({ id }) => String(id) === option.value)} />}
      nothingFoundMessage={isSearching ? t('searching') : t('nobody')}
      maxDropdownHeight={320}
    />
  );
}

type Known = { id: number; display_name: string };
type Wanted = { [K in 'value' | 'known' | 'query' | 'except']: Props[K] | undefined };

const isNamed = ({ display_name }: Known, typed: string) =>
  display_name.toLocaleLowerCase().includes(typed.trim().toLocaleLowerCase());

function usePeople(typed: string, { value, known, query = {}, except }: Wanted) {
  const [search] = useDebouncedValue(typed.trim(), 200);
  const found = useQuery({
    ...load(employees.list, { query: { activity_status: 'active', ...query, search, per_page: 20 } }),
    placeholderData: keepPreviousData,
  });
  const isSearching = found.isFetching || search !== typed.trim();
  const offered: (Known | EmployeeRow)[] = (found.data?.data ?? []).filter(({ id }) => id !== except);
  // matching people of the previous search keep their place, so that the list does not move under a click
  const rows = isSearching ? offered.filter((one) => isNamed(one, typed)) : offered;
  const missing = value !== undefined && !rows.some(({ id }) => id === value);
  const asked = useQuery({
    ...load(employees.get, { params: { id: value ?? 0 } }),
    enabled: missing && known === undefined && found.isSuccess,
    retry: false,
  });
  const name = known ?? asked.data?.data.display_name ?? (asked.isError ? `#${value}` : undefined);
  // The chosen person stays an option even if the search does not find them.
  const people = missing && name !== undefined ? [{ id: value, display_name: name }, ...rows] : rows;
  return { people, current: people.find(({ id }) => id === value)?.display_name, isSearching };
}

function PersonOption({ person }: { person: Known | EmployeeRow | undefined }) {
  if (!person) return null;
  const sub = 'job_title' in person ? [person.job_title, person.department.name].filter(Boolean).join(' · ') : '';
  return (
    <Flex align="center" gap={10} miw={0}>
      <PersonAvatar id={person.id} name={person.display_name} size={28} />
      <Stack gap={0} miw={0}>
        <bdi>{person.display_name}</bdi>
        {sub !== '' && <span className="muted small truncate">{sub}</span>}
      </Stack>
    </Flex>
  );
}
