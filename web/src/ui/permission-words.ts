import { useTranslations } from 'use-intl';

type Named = { name: string; label: string };

/** Names a permission; one this version does not know goes by what the service calls it. */
export function usePermissionLabel(): (permission: Named) => string {
  const t = useTranslations('permission');
  return ({ name, label }) => {
    const [group, verb] = name.split('.') as ['employees', 'view'];
    return t.has(`${group}.${verb}`) ? t(`${group}.${verb}`) : label;
  };
}

/** Names what a family of permissions is about. */
export function usePermissionGroup(): (group: string) => string {
  const t = useTranslations('permissionGroup');
  return (group) => {
    const name = group as 'employees';
    return t.has(name) ? t(name) : group;
  };
}
