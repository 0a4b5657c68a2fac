import { Stack, Switch } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { failedWithoutData } from '../../../api/query.ts';
import { useSession } from '../../../api/session.tsx';
import { roleErrors, type Access } from './access.ts';
import { RoleRows } from './RoleRows.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { LoadingLines } from '../../../ui/LoadingLines.tsx';
import { Problem } from '../../../ui/Problem.tsx';
import { useAllRoles } from '../../../ui/use-all-roles.ts';

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

function AllRoles({ rows, errors, onChange }: RolesProps) {
  const all = useAllRoles();
  if (all.isPending) return <LoadingLines lines={2} />;
  if (failedWithoutData(all)) return <ErrorState error={all.error} onRetry={() => void all.refetch()} />;
  const options = all.data.map(({ id, name, scope }) => ({
    id,
    name,
    limitable: scope !== 'own',
    companies: null,
    inDepartments: scope === 'all' && name !== 'Admin',
    departments: null,
    heldCompanies: [],
    held: [],
  }));
  return <RoleRows rows={rows} onChange={onChange} options={options} errorOf={roleErrors(rows, errors)} />;
}
