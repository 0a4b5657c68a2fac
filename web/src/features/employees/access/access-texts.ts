import type { AccessReason, HeldRoles } from '@tenure/contract';
import { useFormatter, useTranslations } from 'use-intl';
import { useRoleName } from '../../../ui/role-name.ts';
import type { Access } from '../form/access.ts';

type Places = readonly { name: string }[] | null;

/** The companies that a role is limited to, as a phrase. */
export function useLimit(): (entities: Places) => string {
  const t = useTranslations('access');
  const format = useFormatter();
  return (entities) => (entities === null ? t('everywhere') : format.list(entities.map(({ name }) => name)));
}

/** A role and the companies that it is limited to, as a phrase. */
export function useLimitedRole(): (held: { role: string; entities: Places }) => string {
  const t = useTranslations('access');
  const roleName = useRoleName();
  const limit = useLimit();
  return ({ role, entities }) =>
    entities === null ? roleName(role) : t('limited', { role: roleName(role), companies: limit(entities) });
}

/** A reason for access as a sentence. */
export function useReason(): (reason: AccessReason, person: string) => string {
  const t = useTranslations('access.because');
  const roleName = useRoleName();
  const limit = useLimit();
  return ({ role, scope, entities, department }, person) =>
    t(scope, {
      role: roleName(role.name),
      person,
      companies: limit(entities),
      department: department?.name ?? '',
    });
}

/** Role assignments as form rows. */
export const rowsOf = (roles: readonly Pick<HeldRoles['former'][number], 'role_id' | 'entities'>[]): Access['roles'] =>
  roles.map(({ role_id, entities }) => ({
    role: String(role_id),
    companies: (entities ?? []).map(({ id }) => String(id)),
  }));
