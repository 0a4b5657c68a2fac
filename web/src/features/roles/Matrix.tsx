import { Box, Group } from '@mantine/core';
import type { PermissionRow, Role } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { DataTable, type Column } from '../../ui/DataTable.tsx';
import { Message } from '../../ui/Message.tsx';
import { Contents } from './Contents.tsx';
import { useRoleName } from '../../ui/role-name.ts';
import { usePermissionGroup, usePermissionLabel } from '../../ui/permission-labels.ts';
import { PermissionMark, PresetSelect, PermissionCheckbox, HoldersButton, type Editing } from './PermissionCells.tsx';
import type { ShownFamily } from './use-shown-families.ts';

type Props = Editing & { others: readonly Role[] };
type Line = { family: ShownFamily; permission: PermissionRow };

/** All permissions by family, with those of the role and, for comparison, of other roles. */
export function Matrix({ others, ...editing }: Props) {
  const t = useTranslations('roles');
  const group = usePermissionGroup();
  const roleName = useRoleName();
  const columns = useColumns(editing, others);
  const lines = editing.families.flatMap((family) => family.shown.map((permission) => ({ family, permission })));
  if (lines.length === 0) return <Message title={t('nothingFound')}>{t('nothingFoundText')}</Message>;
  return (
    <DataTable<Line>
      label={t('matrix', { role: roleName(editing.role.name) })}
      columns={columns}
      rows={lines}
      rowKey={({ permission }) => permission.id}
      compact
      pinned
      groupOf={({ family }) => family.group}
      groupHead={({ family }) => (
        <Group gap={12}>
          <span>{group(family.group)}</span>
          <PresetSelect {...editing} family={family} />
        </Group>
      )}
    />
  );
}

function useColumns(editing: Editing, others: readonly Role[]): Column<Line>[] {
  const t = useTranslations('roles');
  const label = usePermissionLabel();
  const roleName = useRoleName();
  return [
    {
      id: 'permission',
      header: t('permission'),
      cell: ({ permission }) => (
        <Group gap={12} wrap="nowrap" justify="space-between">
          <Box py={4} style={{ whiteSpace: 'normal' }}>
            {label(permission)}
            <Contents permission={permission} />
          </Box>
          <HoldersButton permission={permission} onHolders={editing.onHolders} />
        </Group>
      ),
    },
    { id: 'role', header: roleName(editing.role.name), cell: (line) => <PermissionCheckbox {...editing} {...line} /> },
    ...others.map((role) => ({
      id: String(role.id),
      header: roleName(role.name),
      cell: ({ permission }: Line) => <PermissionMark on={role.permissions.includes(permission.name)} />,
    })),
  ];
}
