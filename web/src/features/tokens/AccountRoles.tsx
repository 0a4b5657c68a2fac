import { Button, Group, NativeSelect, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { serviceAccounts, type RoleRow, type ServiceAccount } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { CompaniesField } from '../../ui/CompaniesField.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { LeaveGuard } from '../../ui/LeaveGuard.tsx';
import { useRoleName } from '../../ui/role-name.ts';
import { useToast } from '../../ui/toasts.tsx';
import { useAllRoles } from '../../ui/use-all-roles.ts';
import { RoleDepartments } from '../employees/form/RoleDepartments.tsx';
import { Part } from './Part.tsx';

type Given = { role: string; companies: string[]; departments: string[] };
type Held = ServiceAccount['role_assignments'];

const givenOf = ({ role_assignments: held }: ServiceAccount): Given[] =>
  held.map(({ role_id, entity_ids, department_ids }) => ({
    role: String(role_id),
    companies: (entity_ids ?? []).map(String),
    departments: (department_ids ?? []).map(String),
  }));

/** The roles as a request body: without companies and departments there is no limit. */
const sentOf = (given: readonly Given[]) =>
  given
    .filter(({ role }) => role !== '')
    .map(({ role, companies, departments }) => ({
      role_id: Number(role),
      entity_ids: companies.length > 0 ? companies.map(Number) : departments.length > 0 ? [] : null,
      ...(departments.length > 0 && { department_ids: departments.map(Number) }),
    }));

/** The roles of a service account and their limits. A role for own or managed people would have no effect. */
export function AccountRoles({ account }: { account: ServiceAccount }) {
  const t = useTranslations('accessTokens');
  const toast = useToast();
  const start = givenOf(account);
  const [given, setGiven] = useState(start);
  const found = useAllRoles();
  const save = useSend(serviceAccounts.setRoles);
  const isDirty = JSON.stringify(given) !== JSON.stringify(start);
  const change = (index: number, part: Partial<Given>) =>
    setGiven(given.map((one, at) => (at === index ? { ...one, ...part } : one)));
  const submit = () =>
    save.mutate(
      { params: { id: account.id }, body: { assignments: sentOf(given), revision: account.revision } },
      { onSuccess: () => toast({ text: t('rolesSaved') }) },
    );
  return (
    <Part title={t('roles')} lead={t('rolesLead')}>
      <Stack gap={14} px="gutter" pb={24} maw="44rem">
        <ErrorNotice error={save.error ?? found.error} />
        {given.map((one, index) => (
          <OneRole
            // rows have no identity other than their index
            key={`${index} of ${given.length}`}
            given={one}
            offered={found.data ?? []}
            held={account.role_assignments}
            onChange={(part) => change(index, part)}
            onRemove={() => setGiven(given.filter((_one, at) => at !== index))}
          />
        ))}
        <Group gap={8}>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => setGiven([...given, { role: '', companies: [], departments: [] }])}
          >
            {t('addRole')}
          </Button>
          <Button onClick={submit} loading={save.isPending} disabled={!isDirty}>
            {t('save')}
          </Button>
        </Group>
        <LeaveGuard when={isDirty && !save.isPending} />
      </Stack>
    </Part>
  );
}

type RoleProps = {
  given: Given;
  offered: readonly RoleRow[];
  /** The account's roles, whose names are known even before, or without, the list of all roles. */
  held: Held;
  onChange: (part: Partial<Given>) => void;
  onRemove: () => void;
};

function OneRole({ given: { role, companies, departments }, offered, held, onChange, onRemove }: RoleProps) {
  const t = useTranslations('accessTokens');
  const nameOf = useRoleName();
  const isOffered = ({ id, scope, name, is_system: isSystem }: RoleRow) =>
    String(id) === role || (scope === 'all' && !(isSystem && name === 'Admin'));
  return (
    <Stack gap={8}>
      <Group gap={12} align="end" grow preventGrowOverflow={false}>
        <NativeSelect
          label={t('role')}
          value={role}
          onChange={({ currentTarget }) => onChange({ role: currentTarget.value, companies: [], departments: [] })}
          data={[
            { value: '', label: t('chooseRole') },
            ...offered.filter(isOffered).map(({ id, name }) => ({ value: String(id), label: nameOf(name) })),
            ...held
              .filter(({ role_id }) => !offered.some(({ id }) => id === role_id))
              .map(({ role_id, role: name }) => ({ value: String(role_id), label: nameOf(name) })),
          ]}
        />
        <CompaniesField
          label={t('companies')}
          all={departments.length > 0 ? '' : t('allCompanies')}
          value={companies}
          onChange={(ids) => onChange({ companies: ids })}
        />
      </Group>
      {role !== '' && (
        <RoleDepartments
          chosen={{ departments: null, held: held.flatMap((one) => one.departments ?? []) }}
          companies={companies}
          value={departments}
          disabled={false}
          error={undefined}
          onChange={(ids) => onChange({ departments: ids })}
        />
      )}
      <Button variant="default" onClick={onRemove} style={{ alignSelf: 'start' }}>
        {t('removeRole')}
      </Button>
    </Stack>
  );
}
