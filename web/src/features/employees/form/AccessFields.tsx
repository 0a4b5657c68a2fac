import { Stack, Switch } from '@mantine/core';
import { roles, type RoleRow } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { failedWithoutData } from '../../../api/query.ts';
import { useSession } from '../../../api/session.tsx';
import { roleErrors, type Access } from './access.ts';
import { RoleRows } from './RoleRows.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { LoadingLines } from '../../../ui/LoadingLines.tsx';
import { Problem } from '../../../ui/Problem.tsx';

type Props = {
  access: Access;
  onChange: (access: Access) => void;
  errors?: Readonly<Record<string, string>>;
  /** Can a one-time password be created with the person? */
  withPassword: boolean;
};

/** Whether a new person may sign in, and with which roles. */
export function AccessFields({ access, onChange, errors = {}, withPassword }: Props) {
  const t = useTranslations('addPerson');
  const { can } = useSession();
  return (
    <Stack gap={14}>
      {withPassword && (
        <Switch
          label={t('password')}
          description={t('passwordHint')}
          checked={access.password}
          error={errors['issue_password']}
          onChange={(event) => onChange({ ...access, password: event.currentTarget.checked })}
        />
      )}
      {can('employees.assign_roles') && (
        <>
          <p className="muted">{t('rolesHint')}</p>
          {errors['assignments'] !== undefined && <Problem>{errors['assignments']}</Problem>}
          <AllRoles rows={access.roles} errors={errors} onChange={(rows) => onChange({ ...access, roles: rows })} />
        </>
      )}
    </Stack>
  );
}

type RolesProps = {
  rows: Access['roles'];
  errors: Readonly<Record<string, string>>;
  onChange: (rows: Access['roles']) => void;
};

/** Reads the roles of all pages from a page on. */
async function readRoles(signal: AbortSignal, page = 1): Promise<RoleRow[]> {
  const { data, meta } = await call(roles.list, { query: { page, per_page: 100, sort_by: 'name' } }, { signal });
  return page < meta.last_page ? [...data, ...(await readRoles(signal, page + 1))] : data;
}

function AllRoles({ rows, errors, onChange }: RolesProps) {
  const all = useQuery<RoleRow[], ApiError>({
    queryKey: [roles.list.path, 'every page'],
    queryFn: ({ signal }) => readRoles(signal),
  });
  if (all.isPending) return <LoadingLines lines={2} />;
  if (failedWithoutData(all)) return <ErrorState error={all.error} onRetry={() => void all.refetch()} />;
  const options = all.data.map(({ id, name, scope }) => ({
    id,
    name,
    limitable: scope !== 'own',
    companies: null,
    inDepartments: scope === 'all' && name !== 'Admin',
    departments: null,
    held: [],
  }));
  return <RoleRows rows={rows} onChange={onChange} options={options} errorOf={roleErrors(rows, errors)} />;
}
