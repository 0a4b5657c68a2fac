import type { HeldRoles } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { usePermissionGroup, usePermissionLabel } from '../../../ui/permission-labels.ts';
import { useLimitedRole } from '../../../ui/role-limits.ts';
import { CollapsibleSection } from '../form/CollapsibleSection.tsx';
import classes from './access.module.css';
import { Part } from './Part.tsx';

type Permission = HeldRoles['permissions'][number];

/** The combined permissions of a person's roles, each with the roles that grant it. */
export function Permissions({ held: { permissions } }: { held: HeldRoles }) {
  const t = useTranslations('access');
  const groupName = usePermissionGroup();
  const groups = [...new Set(permissions.map(({ group }) => group))];
  return (
    <Part title={t('permissions')}>
      {permissions.length === 0 && <p className="muted">{t('noPermissions')}</p>}
      <div>
        {groups.map((group) => {
          const inside = permissions.filter((one) => one.group === group);
          return (
            <CollapsibleSection
              key={group}
              title={groupName(group)}
              note={t('count', { count: inside.length })}
              open={group === groups[0]}
            >
              <ul className={classes['permissions']}>
                {inside.map((one) => (
                  <OnePermission key={one.name} permission={one} />
                ))}
              </ul>
            </CollapsibleSection>
          );
        })}
      </div>
    </Part>
  );
}

function OnePermission({ permission }: { permission: Permission }) {
  const t = useTranslations('access');
  const label = usePermissionLabel();
  const limited = useLimitedRole();
  const roles = permission.because.map((one) => limited(one));
  return (
    <li>
      <span>{label(permission)}</span>
      <span className="muted">{t('becauseOf', { count: roles.length, roles: roles.join(', ') })}</span>
    </li>
  );
}
