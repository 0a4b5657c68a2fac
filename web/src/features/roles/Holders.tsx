import { Box, NativeSelect } from '@mantine/core';
import { access, type PermissionHolder, type PermissionRow, type Role } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { paths } from '../../paths.ts';
import { SideSheet } from '../../ui/Sheet.tsx';
import { ListView } from '../../ui/ListView.tsx';
import { Message } from '../../ui/Message.tsx';
import { usePermissionLabel } from '../../ui/permission-labels.ts';
import { useLimitedRole } from '../../ui/role-limits.ts';
import { useRoleName } from '../../ui/role-name.ts';
import { SearchField } from '../../ui/SearchField.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { useLastShown } from '../../ui/use-last-shown.ts';

type Props = { permission: PermissionRow | undefined; roles: readonly Role[]; onClose: () => void };

/** "Who has this?": the holders of a permission and the roles that grant it. */
export function Holders({ permission, roles, onClose }: Props) {
  const t = useTranslations('roles');
  const label = usePermissionLabel();
  const shown = useLastShown(permission ? { permission } : undefined);
  if (!shown) return null;
  return (
    <SideSheet
      title={t('whoHas', { permission: label(shown.permission) })}
      opened={permission !== undefined}
      onClose={onClose}
    >
      <People key={shown.permission.id} permission={shown.permission} roles={roles} />
    </SideSheet>
  );
}

function People({ permission, roles }: { permission: PermissionRow; roles: readonly Role[] }) {
  const t = useTranslations('roles');
  const [search, setSearch] = useState<string>();
  const [role, setRole] = useState('');
  const [page, setPage] = useState(1);
  const narrowed = { ...(search && { search }), ...(role && { role_id: role }) };
  const query = useQuery({
    ...load(access.holders, { params: { id: permission.id }, query: { ...narrowed, page } }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <SearchField
        label={t('searchPeople')}
        value={search}
        onChange={(text) => {
          setSearch(text);
          setPage(1);
        }}
      />
      <RoleFilter
        roles={roles.filter(({ permissions }) => permissions.includes(permission.name))}
        value={role}
        onChange={(id) => {
          setRole(id);
          setPage(1);
        }}
      />
      <ListView
        query={query}
        label={t('holders')}
        columns={[{ id: 'person', header: t('person'), cell: (row) => <Holder row={row} /> }]}
        card={(row) => <Holder row={row} />}
        rowKey={(row) => row.user_id}
        onPage={setPage}
        empty={<Message title={t('nobody')} />}
      />
    </>
  );
}

type FilterProps = { roles: readonly Role[]; value: string; onChange: (id: string) => void };

function RoleFilter({ roles, value, onChange }: FilterProps) {
  const t = useTranslations('roles');
  const roleName = useRoleName();
  return (
    <NativeSelect
      aria-label={t('through')}
      data={[
        { value: '', label: t('anyRole') },
        ...roles.map(({ id, name }) => ({ value: String(id), label: roleName(name) })),
      ]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function Holder({ row }: { row: PermissionHolder }) {
  const t = useTranslations('roles');
  const format = useFormatter();
  const limited = useLimitedRole();
  const through = row.because.map((one) => limited(one));
  return (
    <Box py={8} fz="sm">
      <div>
        {row.employee ? (
          <Link
            className="record-link"
            to={paths.employee}
            params={{ id: String(row.employee.id) }}
            search={{ tab: 'access' }}
          >
            <bdi>{row.name}</bdi>
          </Link>
        ) : (
          <bdi>{row.name}</bdi>
        )}{' '}
        {!row.may_sign_in && !row.is_service && <StatusBadge tone="quiet" label={t('cannotSignIn')} />}
        <Box className="muted truncate" fz="sm" lh={1.35}>
          {[row.department?.name, row.entity?.name].filter(Boolean).join(' · ') ||
            t(row.is_service ? 'program' : 'noPerson')}
        </Box>
        <Box className="muted truncate" fz="sm" lh={1.35}>
          {t('because', { roles: format.list(through) })}
        </Box>
      </div>
    </Box>
  );
}
