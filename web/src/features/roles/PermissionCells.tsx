import { ActionIcon, Checkbox, Group, NativeSelect } from '@mantine/core';
import { IconCheck, IconUsers } from '@tabler/icons-react';
import type { PermissionRow, Role } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { usePermissionGroup, usePermissionLabel } from '../../ui/permission-labels.ts';
import { useRoleName } from '../../ui/role-name.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { presetChanges, isAdmin, isReserved, presetOf, presetsOf, permissionChanges, type Preset } from './families.ts';
import type { RoleDraft } from './use-role-draft.ts';
import type { ShownFamily } from './use-shown-families.ts';

export type Editing = {
  role: Role;
  families: readonly ShownFamily[];
  draft: RoleDraft;
  editable: boolean;
  /** Opens the list of holders of a permission. */
  onHolders: (id: number) => void;
};

type OneProps = Editing & { family: ShownFamily; permission: PermissionRow };

/** May the permission be changed here? */
const canTick = ({ editable }: Editing, name: string) => editable && !isReserved(name);

/** The checkbox of one permission; with its label on a phone. */
export function PermissionCheckbox({ labelled = false, ...props }: OneProps & { labelled?: boolean }) {
  const { draft, family, permission, role } = props;
  const t = useTranslations('roles');
  const roleName = useRoleName();
  const name = usePermissionLabel()(permission);
  const on = draft.held.has(permission.name);
  if (!labelled && !canTick(props, permission.name))
    return isReserved(permission.name) && !isAdmin(role) ? (
      <span className="muted">{t('onlyAdmin')}</span>
    ) : (
      <PermissionMark on={on} />
    );
  return (
    <Group gap={8} wrap="nowrap">
      <Checkbox
        size="sm"
        {...(labelled ? { label: name } : { 'aria-label': t('tick', { permission: name, role: roleName(role.name) }) })}
        {...(labelled && isReserved(permission.name) && !isAdmin(role) && { description: t('onlyAdmin') })}
        checked={on}
        disabled={!canTick(props, permission.name)}
        onChange={(event) => draft.change(permissionChanges(family, permission.name, event.currentTarget.checked))}
      />
      {draft.gives.includes(permission.name) && <StatusBadge tone="good" label={t('given')} />}
      {draft.takes.includes(permission.name) && <StatusBadge tone="danger" label={t('taken')} />}
    </Group>
  );
}

/** Whether a role holds a permission, read-only. */
export function PermissionMark({ on }: { on: boolean }) {
  const t = useTranslations('roles');
  return (
    <span className={on ? undefined : 'muted'}>
      {on ? <IconCheck size={17} aria-hidden /> : <span aria-hidden>–</span>}
      <span className="visually-hidden">{t(on ? 'yes' : 'no')}</span>
    </span>
  );
}

/** Sets all permissions of a family at once. */
export function PresetSelect({ family, draft, editable }: Editing & { family: ShownFamily }) {
  const t = useTranslations('roles');
  const group = usePermissionGroup()(family.group);
  const now = presetOf(family, draft.held);
  const options = presetsOf(family);
  if (!editable || options.length < 2) return <span className="muted">{t(`preset.${now}`)}</span>;
  const data = now === 'custom' ? [...options, now] : options;
  return (
    <NativeSelect
      size="xs"
      aria-label={t('presetOf', { group })}
      data={data.map((value) => ({ value, label: t(`preset.${value}`) }))}
      value={now}
      onChange={(event) => draft.change(presetChanges(family, event.currentTarget.value as Preset))}
    />
  );
}

/** Opens the list of holders of a permission. */
export function HoldersButton({
  permission,
  onHolders,
}: {
  permission: PermissionRow;
  onHolders: (id: number) => void;
}) {
  const t = useTranslations('roles');
  const name = usePermissionLabel()(permission);
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={t('whoHas', { permission: name })}
      onClick={() => onHolders(permission.id)}
    >
      <IconUsers size={16} aria-hidden />
    </ActionIcon>
  );
}
