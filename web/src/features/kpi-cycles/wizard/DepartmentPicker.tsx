import { Box, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { Department, Ref } from '@tenure/contract';
import { useState } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { Message } from '../../../ui/Message.tsx';
import { AutoGrid } from '../../../ui/AutoGrid.tsx';
import { ChoiceLine } from '../ChoiceLine.tsx';

type Props = {
  offered: readonly Department[];
  /** Departments that are already published and cannot be removed. */
  fixed: ReadonlySet<number>;
  wanted: ReadonlySet<number>;
  onChange: (wanted: ReadonlySet<number>) => void;
};

/** Selects departments, grouped by company. */
export function DepartmentPicker({ offered, fixed, wanted, onChange }: Props) {
  const t = useTranslations('kpiCycles');
  const locale = useLocale();
  const [typed, setTyped] = useState('');
  const words = typed.trim().toLocaleLowerCase();
  const shown = offered.filter(({ name }) => name.toLocaleLowerCase().includes(words));
  const companies = [...new Map(shown.map(({ entity }) => [entity.id, entity])).values()].toSorted((one, other) =>
    one.name.localeCompare(other.name, locale),
  );
  const people = offered.filter(({ id }) => wanted.has(id)).reduce((sum, { employees_count: count }) => sum + count, 0);
  const set = (ids: readonly number[], on: boolean) => {
    const meant = new Set(ids.filter((id) => !fixed.has(id)));
    onChange(on ? wanted.union(meant) : new Set([...wanted].filter((id) => !meant.has(id))));
  };
  if (offered.length === 0) return <Message title={t('noDepartmentToChoose')}>{t('noDepartmentToChooseText')}</Message>;
  return (
    <>
      <DepartmentSearch value={typed} onChange={setTyped} />
      <output className="muted">{t('chosenCount', { count: wanted.size, people })}</output>
      {shown.length === 0 && <p className="muted">{t('noDepartmentFound')}</p>}
      {companies.map((company) => (
        <Company
          key={company.id}
          company={company}
          rows={shown.filter(({ entity_id }) => entity_id === company.id)}
          fixed={fixed}
          wanted={wanted}
          onSet={set}
        />
      ))}
    </>
  );
}

function DepartmentSearch({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const t = useTranslations('kpiCycles');
  return (
    <TextInput
      maw="24rem"
      type="search"
      aria-label={t('searchDepartments')}
      placeholder={t('searchDepartments')}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      maxLength={100}
    />
  );
}

type CompanyProps = Pick<Props, 'fixed' | 'wanted'> & {
  company: Ref;
  rows: readonly Department[];
  onSet: (ids: readonly number[], on: boolean) => void;
};

function Company({ company, rows, fixed, wanted, onSet }: CompanyProps) {
  const t = useTranslations('kpiCycles');
  const chosen = rows.filter(({ id }) => wanted.has(id)).length;
  const all = rows.map(({ id }) => id);
  return (
    <Box component="fieldset" m={0} p={0} bd={0} miw={0}>
      <legend className="visually-hidden">{company.name}</legend>
      <ChoiceLine
        type="checkbox"
        strong
        label={t('allOf', { company: company.name })}
        note={t('someOf', { chosen, count: rows.length })}
        checked={chosen === rows.length}
        ref={(box) => {
          if (box) box.indeterminate = chosen > 0 && chosen < rows.length;
        }}
        onChange={(event) => onSet(all, event.currentTarget.checked)}
      />
      <AutoGrid component="ul" min="17rem" gap="0 16px">
        {rows.map(({ id, name, employees_count: count }) => (
          <li key={id}>
            <ChoiceLine
              type="checkbox"
              label={name}
              note={fixed.has(id) ? t('status.published') : t('peopleCount', { count })}
              checked={wanted.has(id)}
              disabled={fixed.has(id)}
              onChange={(event) => onSet([id], event.currentTarget.checked)}
            />
          </li>
        ))}
      </AutoGrid>
    </Box>
  );
}
