import { seededRoles } from '@tenure/contract';
import { useFormatter, useLocale, useTranslations } from 'use-intl';

type Named = { name: string };

/** The displayed name of a role: translated if it is seeded, else unchanged. No other role takes a seeded name. */
export function useRoleName(): (name: string) => string {
  const t = useTranslations('roleName');
  return (name) => {
    const seeded = seededRoles.find((one) => one === name);
    return seeded ? t(seeded) : name;
  };
}

/** A person's roles in the format of imports, `HR|Manager`, as a phrase. */
export function useWrittenRoles(): (written: string) => string {
  const nameOf = useRoleName();
  const format = useFormatter();
  return (written) => format.list(written.split('|').map((name) => nameOf(name)));
}

/** Roles sorted by their displayed names. */
export function useSortedRoles(): <R extends Named>(roles: readonly R[]) => R[] {
  const nameOf = useRoleName();
  const { compare } = new Intl.Collator(useLocale());
  return (roles) => roles.toSorted((a, b) => compare(nameOf(a.name), nameOf(b.name)));
}
