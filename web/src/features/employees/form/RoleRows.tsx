import { ActionIcon, Button, NativeSelect } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import { useSession } from '../../../api/session.tsx';
import { CompaniesField } from '../../../ui/CompaniesField.tsx';
import { useRoleName, useSortedRoles } from '../../../ui/role-name.ts';
import type { Access, RoleField, RoleOption } from './access.ts';
import { RoleDepartments } from './RoleDepartments.tsx';
import classes from './RoleRows.module.css';

type Row = Access['roles'][number];

type Props = {
  rows: readonly Row[];
  onChange: (rows: Row[]) => void;
  options: readonly RoleOption[];
  /** Rows that the user may neither change nor remove. */
  isFixed?: (row: Row) => boolean;
  /** The service's message for a field of a row. */
  errorOf?: (index: number, field: RoleField) => string | undefined;
};

/** Rows, each with a role and the companies and departments it is limited to. */
export function RoleRows({ rows, onChange, options, isFixed = () => false, errorOf = () => undefined }: Props) {
  const t = useTranslations('addPerson');
  const sorted = useSortedRoles();
  const change = (index: number, patch: Partial<Row>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...patch } : row)));
  const taken = (row: Row) => new Set(rows.filter((other) => other !== row).map(({ role }) => role));
  return (
    <>
      {rows.map((row, index) => (
        <RoleRow
          // oxlint-disable-next-line react/no-array-index-key -- rows have no other identity
          key={index}
          row={row}
          options={sorted(options).filter(({ id }) => !taken(row).has(String(id)))}
          fixed={isFixed(row)}
          errors={{
            role: errorOf(index, 'role_id'),
            companies: errorOf(index, 'entity_ids'),
            departments: errorOf(index, 'department_ids'),
          }}
          onChange={(patch) => change(index, patch)}
          onRemove={() => onChange(rows.filter((_, at) => at !== index))}
        />
      ))}
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => onChange([...rows, { role: '', companies: [] }])}
        >
          {t('addRole')}
        </Button>
      </div>
    </>
  );
}

type RowProps = {
  row: Row;
  options: readonly RoleOption[];
  fixed: boolean;
  errors: Record<'role' | 'companies' | 'departments', string | undefined>;
  onChange: (patch: Partial<Row>) => void;
  onRemove: () => void;
};

function RoleRow({ row: { role, companies, departments = [] }, options, fixed, errors, onChange, onRemove }: RowProps) {
  const t = useTranslations('addPerson');
  const roleName = useRoleName();
  const { can } = useSession();
  const chosen = options.find(({ id }) => String(id) === role);
  const none = t(chosen?.companies ? 'someCompany' : 'allCompanies');
  return (
    <div className={classes['role']}>
      <NativeSelect
        label={t('role')}
        value={role}
        disabled={fixed}
        data={[
          { value: '', label: t('chooseRole') },
          ...options.map(({ id, name }) => ({ value: String(id), label: roleName(name) })),
        ]}
        {...(errors.role !== undefined && { error: errors.role })}
        onChange={(event) => onChange({ role: event.currentTarget.value, companies: [], departments: [] })}
      />
      <CompaniesField
        label={t('roleCompanies')}
        all={departments.length > 0 ? '' : none}
        disabled={fixed || chosen?.limitable === false}
        offered={chosen?.companies}
        known={chosen?.heldCompanies ?? []}
        mayList={can('entities.view')}
        value={companies}
        error={errors.companies}
        onChange={(some) => onChange({ companies: some })}
      />
      <ActionIcon variant="default" size={36} disabled={fixed} aria-label={t('removeRole')} onClick={onRemove}>
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
      {chosen?.inDepartments && (
        <RoleDepartments
          chosen={chosen}
          companies={companies}
          value={departments}
          disabled={fixed}
          error={errors.departments}
          onChange={(some) => onChange({ departments: some })}
        />
      )}
    </div>
  );
}
