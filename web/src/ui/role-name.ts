import { seededRoles } from '@tenure/contract';
import { useFormatter, useLocale, useTranslations } from 'use-intl';

type Named = { name: string };

/** The name of a role as it is shown: a seeded role in words, any other as it is. No other role takes a seeded name. */
export function useRoleName(): (name: string) => string {
  const t = useTranslations('roleName');
  return (name) => {
    const seeded = seededRoles.find((one) => one === name);
    return seeded ? t(seeded) : name;
  };
}

/** The roles of a person as imports write them, `HR|Manager`, as a phrase. */
export function useWrittenRoles(): (written: string) => string {
  const nameOf = useRoleName();
  const format = useFormatter();
  return (written) => format.list(written.split('|').map((name) => nameOf(name)));
}

/** Roles in the order of their shown names. */
export function useSortedRoles(): <R extends Named>(roles: readonly R[]) => R[] {
  const nameOf = useRoleName();
  const { compare } = new Intl.Collator(useLocale());
  return (roles) => roles.toSorted((a, b) => compare(nameOf(a.name), nameOf(b.name)));
}
