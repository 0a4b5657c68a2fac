import { Stack, Switch } from '@mantine/core';
import { roles } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { load } from '../../../api/query.ts';
import { useSession } from '../../../api/session.tsx';
import type { Access } from './access.ts';
import { RoleRows } from './RoleRows.tsx';
import { Problem } from '../../../ui/Problem.tsx';

type Props = { access: Access; onChange: (access: Access) => void; error?: string | undefined };

/** Whether a new person may sign in, and with which roles. */
export function AccessFields({ access, onChange, error }: Props) {
  const t = useTranslations('addPerson');
  const { can } = useSession();
  return (
    <Stack gap={14}>
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
          {error !== undefined && <Problem>{error}</Problem>}
          <AllRoles rows={access.roles} onChange={(rows) => onChange({ ...access, roles: rows })} />
        </>
      )}
    </Stack>
  );
}

type RolesProps = { rows: Access['roles']; onChange: (rows: Access['roles']) => void };

function AllRoles({ rows, onChange }: RolesProps) {
  const all = useQuery(load(roles.list, { query: { per_page: 100 } }));
  const options = (all.data?.data ?? []).map(({ id, name, scope }) => ({
    id,
    name,
    limitable: scope !== 'own',
    companies: null,
  }));
  return <RoleRows rows={rows} onChange={onChange} options={options} />;
}
