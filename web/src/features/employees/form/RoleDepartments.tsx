import { MultiSelect } from '@mantine/core';
import { departments as endpoints } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { load } from '../../../api/query.ts';
import { useSession } from '../../../api/session.tsx';
import type { RoleOption } from './access.ts';
import classes from './RoleRows.module.css';

type Props = {
  chosen: Pick<RoleOption, 'departments' | 'held'>;
  /** The selected companies, whose departments are offered; if empty, those of all companies. */
  companies: readonly string[];
  value: string[];
  disabled: boolean;
  error: string | undefined;
  onChange: (ids: string[]) => void;
};

type Place = { id: number; name: string };

/** The departments that a role is limited to, with their descendants; searched by name. */
export function RoleDepartments({ chosen, companies, value, disabled, error, onChange }: Props) {
  const t = useTranslations('addPerson');
  const { can } = useSession();
  const [search, setSearch] = useState('');
  const [seen, setSeen] = useState<readonly Place[]>([]);
  const entity_id = companies.length > 0 ? companies.map(Number) : undefined;
  const found = useQuery({
    ...load(endpoints.list, { query: { per_page: 100, sort_by: 'name', search: search || undefined, entity_id } }),
    enabled: !disabled && can('departments.view'),
    placeholderData: keepPreviousData,
  });
  const offered = (found.data?.data ?? []).map((one) => ({ id: one.id, name: `${one.name} (${one.entity.name})` }));
  // a selected department keeps its name during a search for others
  const known = new Map(
    [...(chosen.departments ?? []), ...chosen.held, ...seen, ...offered].map((one) => [one.id, one]),
  );
  const open = new Set([...offered, ...(chosen.departments ?? [])].map(({ id }) => id));
  const shown = [...known.values()].filter(({ id }) => value.includes(String(id)) || open.has(id));
  const select = (ids: string[]) => {
    setSeen(ids.flatMap((id) => known.get(Number(id)) ?? []));
    onChange(ids);
  };
  return (
    <MultiSelect
      className={classes['departments'] ?? ''}
      label={t('roleDepartments')}
      description={t('departmentsBelow')}
      placeholder={value.length > 0 ? '' : t('allDepartments')}
      disabled={disabled}
      data={shown.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={value}
      {...(error !== undefined && { error })}
      onChange={select}
      searchValue={search}
      onSearchChange={setSearch}
      searchable
      clearable
    />
  );
}
