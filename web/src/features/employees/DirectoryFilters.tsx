import { ActionIcon, Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconFilter } from '@tabler/icons-react';
import { departments, entities } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { useSession } from '../../api/session.tsx';
import { BottomSheet } from '../../ui/Dialog.tsx';
import { Pills } from '../../ui/Pills.tsx';
import { RecordSelect } from '../../ui/RecordSelect.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { usePhone } from '../../ui/use-phone.ts';
import classes from './DirectoryFilters.module.css';
import type { EmployeesSearch } from './search.ts';

type Change = { [K in keyof EmployeesSearch]?: EmployeesSearch[K] | undefined };
type Props = { search: EmployeesSearch; onChange: (change: Change) => void };

/** Everything that narrows the directory. A phone has the selects in a sheet from below. */
export function DirectoryFilters({ search, onChange }: Props) {
  const t = useTranslations('employees');
  const phone = usePhone();
  return (
    <div className={classes['filters']}>
      <SearchField
        className={classes['search']}
        label={t('search')}
        value={search.search}
        onChange={(text) => onChange({ search: text })}
      />
      {phone ? <FilterSheet search={search} onChange={onChange} /> : <Selects search={search} onChange={onChange} />}
      <StatusPills search={search} onChange={onChange} label={t('status')} />
    </div>
  );
}

function Selects({ search, onChange }: Props) {
  const t = useTranslations('employees');
  const { can } = useSession();
  return (
    <>
      {can('entities.view') && (
        <RecordSelect
          label={t('entity')}
          list={entities.list}
          value={search.entity_id}
          onChange={(entity_id) => onChange({ entity_id, department_id: undefined })}
        />
      )}
      {can('departments.view') && (
        <RecordSelect
          label={t('department')}
          list={departments.list}
          query={search.entity_id === undefined ? {} : { entity_id: search.entity_id }}
          value={search.department_id}
          onChange={(department_id) => onChange({ department_id })}
        />
      )}
    </>
  );
}

function FilterSheet(props: Props) {
  const t = useTranslations('employees');
  const { can } = useSession();
  const [open, sheet] = useDisclosure(false);
  if (!can('entities.view') && !can('departments.view')) return null;
  return (
    <>
      <ActionIcon variant="default" size={44} aria-label={t('filters')} onClick={sheet.open}>
        <IconFilter size={19} aria-hidden />
      </ActionIcon>
      <BottomSheet opened={open} onClose={sheet.close} title={t('filters')}>
        <Selects {...props} />
        <Button onClick={sheet.close}>{t('showResults')}</Button>
      </BottomSheet>
    </>
  );
}

const statuses = {
  all: { activity_status: undefined, employment_lifecycle: undefined },
  active: { activity_status: 'active', employment_lifecycle: undefined },
  probationary: { activity_status: 'active', employment_lifecycle: 'probationary' },
  inactive: { activity_status: 'inactive', employment_lifecycle: undefined },
} as const satisfies Record<string, Change>;
type Status = keyof typeof statuses;

function StatusPills({ search, onChange, label }: Props & { label: string }) {
  const t = useTranslations('employees');
  const names = Object.keys(statuses) as Status[];
  const chosen = names.find(
    (name) =>
      statuses[name].activity_status === search.activity_status &&
      statuses[name].employment_lifecycle === search.employment_lifecycle,
  );
  return (
    <Pills
      label={label}
      options={names.map((value) => ({ value, label: t(value) }))}
      value={chosen}
      onChange={(name) => onChange(statuses[name])}
    />
  );
}
