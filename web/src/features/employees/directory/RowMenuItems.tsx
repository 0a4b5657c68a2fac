import { Menu } from '@mantine/core';
import type { EmployeeRow } from '@tenure/contract';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { paths } from '../../../paths.ts';
import { destructive, dialogsFor } from '../record/actions.ts';
import type { EmployeesSearch } from '../search.ts';
import { mailTo } from '../../../ui/mail-to.ts';

export type RowMenuProps = {
  employee: EmployeeRow;
  directory: EmployeesSearch;
  onInvite: (employee: EmployeeRow) => void;
};

/** The actions that the user may take on a person of the list; each opens on the profile. */
export function RowMenuItems({ employee, directory, onInvite }: RowMenuProps) {
  const t = useTranslations('employees.row');
  const profile = useTranslations('profile');
  const { id, email, allowed_actions: may, user } = employee;
  const isNew = !!user && !user.has_password;
  // The picture is changed on the profile, where it is visible.
  const offered = dialogsFor(employee).filter((step) => step !== 'picture');
  const params = { id: String(id) };
  return (
    <>
      <Menu.Item renderRoot={(props) => <Link {...props} to={paths.employee} params={params} state={{ directory }} />}>
        {t('open')}
      </Menu.Item>
      {email !== null && (
        <Menu.Item component="a" href={mailTo(email)}>
          {profile('write')}
        </Menu.Item>
      )}
      {isNew && may.includes('reset-password') && (
        <Menu.Item onClick={() => onInvite(employee)}>{t('invite')}</Menu.Item>
      )}
      {offered.length > 0 && <Menu.Divider />}
      {offered.map((step) => (
        <Menu.Item
          key={step}
          {...(destructive.has(step) && { c: 'var(--danger)' })}
          renderRoot={(props) => (
            <Link {...props} to={paths.employee} params={params} search={{ do: step }} state={{ directory }} />
          )}
        >
          {profile(`do.${step}`)}
        </Menu.Item>
      ))}
    </>
  );
}
