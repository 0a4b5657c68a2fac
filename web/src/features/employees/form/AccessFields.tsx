import { ActionIcon, Button, MultiSelect, NativeSelect, Switch } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { entities, roles } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { load } from '../../../api/query.ts';
import { useSession } from '../../../api/session.tsx';
import type { Access } from './access.ts';
import classes from './form.module.css';

type Props = { access: Access; onChange: (access: Access) => void; error?: string | undefined };

/** Whether and as what a new person may sign in. */
export function AccessFields({ access, onChange, error }: Props) {
  const t = useTranslations('addPerson');
  const { can } = useSession();
  const change = (index: number, patch: Partial<Access['roles'][number]>) =>
    onChange({ ...access, roles: access.roles.map((one, at) => (at === index ? { ...one, ...patch } : one)) });
  return (
    <div className={classes['access']}>
      {can('employees.reset_password') && (
        <Switch
          label={t('password')}
          description={t('passwordHint')}
          checked={access.password}
          onChange={(event) => onChange({ ...access, password: event.currentTarget.checked })}
        />
      )}
      {can('employees.assign_roles') && (
        <>
          <p className="muted">{t('rolesHint')}</p>
          {access.roles.map((one, index) => (
            <RoleRow
              // oxlint-disable-next-line react/no-array-index-key -- rows have no other identity
              key={index}
              {...one}
              onChange={(patch) => change(index, patch)}
              onRemove={() => onChange({ ...access, roles: access.roles.filter((_, at) => at !== index) })}
            />
          ))}
          {error !== undefined && (
            <p className={classes['error']} role="alert">
              {error}
            </p>
          )}
          <div>
            <Button
              variant="default"
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() => onChange({ ...access, roles: [...access.roles, { role: '', companies: [] }] })}
            >
              {t('addRole')}
            </Button>
          </div>
        </>
      )}
    </div>
  );
}

type RowProps = Access['roles'][number] & {
  onChange: (patch: Partial<Access['roles'][number]>) => void;
  onRemove: () => void;
};

function RoleRow({ role, companies, onChange, onRemove }: RowProps) {
  const t = useTranslations('addPerson');
  const { can } = useSession();
  const all = useQuery(load(roles.list, { query: { per_page: 100 } }));
  const known = useQuery({
    ...load(entities.list, { query: { per_page: 100, sort_by: 'name' } }),
    enabled: can('entities.view'),
  });
  return (
    <div className={classes['role']}>
      <NativeSelect
        label={t('role')}
        value={role}
        data={[
          { value: '', label: t('chooseRole') },
          ...(all.data?.data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        onChange={(event) => onChange({ role: event.currentTarget.value })}
      />
      <MultiSelect
        label={t('roleCompanies')}
        placeholder={companies.length > 0 ? '' : t('allCompanies')}
        data={(known.data?.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
        value={companies}
        onChange={(chosen) => onChange({ companies: chosen })}
        searchable
        clearable
      />
      <ActionIcon variant="default" size={36} aria-label={t('removeRole')} onClick={onRemove}>
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
    </div>
  );
}
