import type { HeldRoles } from '@tenure/contract';
import { useFormatter, useTranslations } from 'use-intl';
import { useRoleName } from './role-name.ts';

export type Limits = Pick<HeldRoles['former'][number], 'entities' | 'departments'>;

/** The companies and departments that a role is limited to, as a phrase; those that the user does not see, as a number. */
export function useLimit(): (limits: Limits) => string {
  const t = useTranslations('access');
  const format = useFormatter();
  return ({ entities, departments = [] }) => {
    if (entities === null) return t('everywhere');
    const places = [...entities, ...departments];
    const names = places.flatMap(({ name }) => name ?? []);
    const count = places.length - names.length;
    return format.list([...names, ...(count > 0 ? [t('unseen', { count })] : [])]);
  };
}

/** A role and the companies and departments that it is limited to, as a phrase. */
export function useLimitedRole(): (held: Limits & { role: string }) => string {
  const t = useTranslations('access');
  const roleName = useRoleName();
  const limit = useLimit();
  return ({ role, ...limits }) =>
    limits.entities === null ? roleName(role) : t('limited', { role: roleName(role), companies: limit(limits) });
}
