import type { AccessReason, HeldRoles } from '@tenure/contract';
import { useFormatter, useTranslations } from 'use-intl';
import { useRoleName } from '../../../ui/role-name.ts';
import type { Access } from '../form/access.ts';

type Places = readonly { name: string }[] | null;

type Limits = { entities: Places; departments?: Exclude<Places, null> | undefined };

/** The companies and departments that a role is limited to, as a phrase. */
export function useLimit(): (limits: Limits) => string {
  const t = useTranslations('access');
  const format = useFormatter();
  return ({ entities, departments = [] }) =>
    entities === null ? t('everywhere') : format.list([...entities, ...departments].map(({ name }) => name));
}

/** A role and the companies and departments that it is limited to, as a phrase. */
export function useLimitedRole(): (held: Limits & { role: string }) => string {
  const t = useTranslations('access');
  const roleName = useRoleName();
  const limit = useLimit();
  return ({ role, ...limits }) =>
    limits.entities === null ? roleName(role) : t('limited', { role: roleName(role), companies: limit(limits) });
}

/** A reason for access as a sentence. */
export function useReason(): (reason: AccessReason, person: string) => string {
  const t = useTranslations('access.because');
  const roleName = useRoleName();
  const limit = useLimit();
  return ({ role, scope, department, ...limits }, person) =>
    t(scope, {
      role: roleName(role.name),
      person,
      companies: limit(limits),
      department: department?.name ?? '',
    });
}

/** Role assignments as form rows. */
export const rowsOf = (
  roles: readonly Pick<HeldRoles['former'][number], 'role_id' | 'entities' | 'departments'>[],
): Access['roles'] =>
  roles.map(({ role_id, entities, departments }) => ({
    role: String(role_id),
    companies: (entities ?? []).map(({ id }) => String(id)),
    ...(departments && { departments: departments.map(({ id }) => String(id)) }),
  }));
