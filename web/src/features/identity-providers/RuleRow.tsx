import { ActionIcon, Autocomplete, NativeSelect } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { RoleRules } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { CompaniesField } from '../../ui/CompaniesField.tsx';
import { useRoleName } from '../../ui/role-name.ts';
import { RoleDepartments } from '../employees/form/RoleDepartments.tsx';
import type { Row } from './role-rules.ts';
import classes from './RuleRow.module.css';

type Props = {
  index: number;
  row: Row;
  known: RoleRules;
  errorOf: (index: number, field: 'value' | 'role_id' | 'entity_ids' | 'department_ids') => string | undefined;
  onChange: (patch: Partial<Row>) => void;
  onRemove: () => void;
};

const shown = (error: string | undefined) => error !== undefined && { error };

/** A group, the role that it assigns, and where. */
export function RuleRow({ index, row, known, errorOf, onChange, onRemove }: Props) {
  const t = useTranslations('roleRules');
  const roleName = useRoleName();
  const chosen = known.roles.find(({ id }) => String(id) === row.role);
  const held = known.rules.flatMap(({ departments }) => departments ?? []);
  return (
    <fieldset className={classes['rule']}>
      <legend className="visually-hidden">{t('rule', { number: index + 1 })}</legend>
      <Autocomplete
        label={t('group')}
        value={row.value}
        data={known.seen.map(({ value }) => value)}
        limit={20}
        autoComplete="off"
        {...shown(errorOf(index, 'value'))}
        onChange={(value) => onChange({ value })}
      />
      <NativeSelect
        label={t('role')}
        value={row.role}
        data={[
          { value: '', label: t('chooseRole') },
          ...known.roles.map(({ id, name }) => ({ value: String(id), label: roleName(name) })),
        ]}
        {...shown(errorOf(index, 'role_id'))}
        onChange={(event) => onChange({ role: event.currentTarget.value, companies: [], departments: [] })}
      />
      <ActionIcon variant="default" size={36} aria-label={t('remove')} onClick={onRemove}>
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
      {chosen?.limitable && <Companies {...{ row, known, onChange }} error={errorOf(index, 'entity_ids')} />}
      {chosen?.in_departments && (
        <div className={classes['places']}>
          <RoleDepartments
            chosen={{ departments: null, held }}
            companies={row.companies}
            value={row.departments}
            disabled={false}
            error={errorOf(index, 'department_ids')}
            onChange={(departments) => onChange({ departments })}
          />
        </div>
      )}
    </fieldset>
  );
}

type CompaniesProps = Pick<Props, 'row' | 'known' | 'onChange'> & { error: string | undefined };

/** The companies in which the role is assigned; a provider of some companies can assign it only there. */
function Companies({ row, known, error, onChange }: CompaniesProps) {
  const t = useTranslations('roleRules');
  const none = t(known.entities ? 'someCompany' : 'allCompanies');
  return (
    <CompaniesField
      className={classes['places']}
      label={t('companies')}
      all={row.departments.length > 0 ? '' : none}
      offered={known.entities}
      known={known.rules.flatMap(({ entities }) => entities ?? [])}
      value={row.companies}
      {...shown(error)}
      onChange={(companies) => onChange({ companies })}
    />
  );
}
