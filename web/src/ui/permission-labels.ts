import { useTranslations } from 'use-intl';

type Named = { name: string; label: string };

/** Labels of permissions; an unknown one keeps its API name. */
export function usePermissionLabel(): (permission: Named) => string {
  const t = useTranslations('permission');
  return ({ name, label }) => {
    const [group, verb] = name.split('.') as ['employees', 'view'];
    return t.has(`${group}.${verb}`) ? t(`${group}.${verb}`) : label;
  };
}

/** Labels of permission families. */
export function usePermissionGroup(): (group: string) => string {
  const t = useTranslations('permissionGroup');
  return (group) => {
    const name = group as 'employees';
    return t.has(name) ? t(name) : group;
  };
}
