import { Box, ActionIcon, Group, Menu, Stack } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { RoleRow } from '@tenure/contract';
import { Link } from '@tanstack/react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { useSession } from '../../api/session.tsx';
import { paths } from '../../paths.ts';
import type { Column } from '../../ui/DataTable.tsx';
import { useRoleName } from '../../ui/role-name.ts';
import { isAdmin, scopeOf } from './families.ts';
import { useRoleDescription } from './role-description.ts';
import type { RoleDialog } from './search.ts';

type OnDialog = (dialog: RoleDialog, role: RoleRow) => void;

/** The columns of the role list. */
export function useRoleColumns(onDialog: OnDialog): Column<RoleRow>[] {
  const t = useTranslations('roles');
  const format = useFormatter();
  return [
    { id: 'name', header: t('field.name'), sortBy: 'name', cell: (row) => <Name row={row} /> },
    { id: 'scope', header: t('scopeLabel'), cell: (role) => t(`scope.${scopeOf(role)}`) },
    { id: 'users', header: t('holders'), sortBy: 'users_count', cell: (row) => <HoldersLink role={row} /> },
    {
      id: 'permissions',
      header: t('permissions'),
      cell: (row) => <span className="numbers">{format.number(row.permissions_count)}</span>,
    },
    { id: 'kind', header: t('kind'), cell: ({ is_system }) => t(is_system ? 'builtIn' : 'own') },
    {
      id: 'menu',
      header: t('actions'),
      headerHidden: true,
      cell: (row) => <RoleMenu role={row} onDialog={(dialog) => onDialog(dialog, row)} />,
    },
  ];
}

/** A role in the list on a phone. */
export function RoleCard({ row, onDialog }: { row: RoleRow; onDialog: OnDialog }) {
  const t = useTranslations('roles');
  return (
    <Stack gap={8} fz="sm">
      <Group justify="space-between" align="start" wrap="nowrap">
        <Name row={row} />
        <RoleMenu role={row} size={36} onDialog={(dialog) => onDialog(dialog, row)} />
      </Group>
      <Group gap={12}>
        <span className="muted">{t(`scope.${scopeOf(row)}`)}</span>
        <span className="muted">{t('permissionCount', { count: row.permissions_count })}</span>
        <HoldersLink role={row} />
      </Group>
    </Stack>
  );
}

function Name({ row }: { row: RoleRow }) {
  const { id, name } = row;
  const roleName = useRoleName();
  const description = useRoleDescription()(row);
  return (
    <Box miw={0}>
      <Link className="record-link" to={paths.role} params={{ id: String(id) }}>
        <bdi>{roleName(name)}</bdi>
      </Link>
      {description !== null && (
        <Box className="muted truncate" fz="sm" lh={1.35}>
          {description}
        </Box>
      )}
    </Box>
  );
}

/** The number of holders, with a link to them. */
export function HoldersLink({ role: { id, users_count: count } }: { role: RoleRow }) {
  const t = useTranslations('roles');
  const { can } = useSession();
  const text = t('people', { count });
  if (!can('employees.view')) return <span className={count === 0 ? 'muted' : undefined}>{text}</span>;
  return (
    <Link to={paths.employees} search={{ role_id: id }}>
      {text}
    </Link>
  );
}

type MenuProps = { role: RoleRow; onDialog: (dialog: RoleDialog) => void; size?: number };

/** The actions on a role; hidden if there are none. */
export function RoleMenu({ role, onDialog, size = 30 }: MenuProps) {
  const t = useTranslations('roles');
  const { can } = useSession();
  const roleName = useRoleName();
  if (!can('rbac.manage')) return null;
  const offered: Exclude<RoleDialog, 'new'>[] = [
    ...(role.allowed_actions.includes('update') ? (['edit'] as const) : []),
    'duplicate',
    ...(isAdmin(role) ? [] : (['view'] as const)),
    // the dialog shows what prevents the deletion
    ...(role.is_system ? [] : (['delete'] as const)),
  ];
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={size} aria-label={t('menu', { name: roleName(role.name) })}>
          <IconDots size={17} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {offered.map((dialog) => (
          <Menu.Item key={dialog} onClick={() => onDialog(dialog)} {...(dialog === 'delete' && { color: 'red' })}>
            {t(`do.${dialog}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
