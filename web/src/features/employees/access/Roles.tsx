import { Box, Button, Group, Stack } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import type { Employee, HeldRoles } from '@tenure/contract';
import { useSearch } from '@tanstack/react-router';
import { useState, type Ref } from 'react';
import { useTranslations } from 'use-intl';
import { useLimit } from '../../../ui/role-limits.ts';
import { useRoleName } from '../../../ui/role-name.ts';
import { FormerRoles } from './FormerRoles.tsx';
import { RolesForm } from './RolesForm.tsx';
import { useOpenerFocus } from '../record/use-return-focus.ts';
import { Part } from './Part.tsx';

type Props = { employee: Employee; held: HeldRoles };

/** A person's roles and their scope, edited in place. */
export function Roles({ employee, held }: Props) {
  const t = useTranslations('access');
  const asked = useAskedRole(employee, held);
  const [editing, setEditing] = useState<'held' | 'former' | 'asked' | undefined>(asked && 'asked');
  const opener = useOpenerFocus(editing !== undefined);
  const { departments, direct_reports: reports } = held.manages;
  if (editing)
    return (
      <RolesForm
        employee={employee}
        held={held}
        {...(editing === 'former' && { added: held.former })}
        {...(editing === 'asked' && asked && { added: [asked] })}
        onClose={() => setEditing(undefined)}
      />
    );
  return (
    <Part
      title={t('roles')}
      actions={employee.allowed_actions.includes('roles') && <Change ref={opener} onClick={() => setEditing('held')} />}
    >
      <Stack gap={8} renderRoot={(props) => <ul {...props} />}>
        {held.assignments.map((one) => (
          <HeldRole key={one.role_id} held={one} />
        ))}
      </Stack>
      <FormerRoles employee={employee} held={held} onGive={() => setEditing('former')} />
      {(departments.length > 0 || reports > 0) && (
        <p className="muted">
          {t('manages', { departments: departments.map(({ name }) => name).join(', ') || '–', reports })}
        </p>
      )}
    </Part>
  );
}

/** The role that its page asks to assign here, unless the person has it; initially without a limit. */
function useAskedRole({ allowed_actions }: Employee, { assignable, assignments }: HeldRoles) {
  const { role } = useSearch({ strict: false });
  const found = assignable.find(({ role_id }) => role_id === role);
  const isHeld = assignments.some(({ role_id }) => role_id === role);
  return found && !isHeld && allowed_actions.includes('roles')
    ? { role_id: found.role_id, role: found.role, entities: null }
    : undefined;
}

/** A role and its scope. */
function HeldRole({
  held: { role, scope, managed_depth, entities, departments, provider },
}: {
  held: HeldRoles['assignments'][number];
}) {
  const t = useTranslations('access');
  const limit = useLimit();
  const roleName = useRoleName();
  return (
    <Group align="baseline" gap="2px 12px" renderRoot={(props) => <li {...props} />}>
      <Box component="strong" miw="8rem" fw={560}>
        {roleName(role)}
      </Box>
      <span className="muted">
        {t(`reach.${managed_depth === 'tree' ? 'tree' : scope}`)}
        {scope !== 'own' && ` · ${limit({ entities, departments })}`}
        {provider && ` · ${t('fromProvider', { provider: provider.name })}`}
      </span>
    </Group>
  );
}

function Change({ ref, onClick }: { ref: Ref<HTMLButtonElement>; onClick: () => void }) {
  const t = useTranslations('access');
  return (
    <Button
      ref={ref}
      variant="subtle"
      size="compact-sm"
      leftSection={<IconPencil size={14} aria-hidden />}
      onClick={onClick}
    >
      {t('change')}
    </Button>
  );
}
