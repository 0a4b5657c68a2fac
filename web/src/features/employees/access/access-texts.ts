import type { AccessReason, HeldRoles } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { useLimit } from '../../../ui/role-limits.ts';
import { useRoleName } from '../../../ui/role-name.ts';
import type { Access } from '../form/access.ts';

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
