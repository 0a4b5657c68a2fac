import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { Department } from '@tenure/contract';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useSession } from '../../api/session.tsx';
import { paths } from '../../paths.ts';
import type { DialogName } from './search.ts';

type Props = {
  department: Department;
  onDialog: (dialog: DialogName, id: number) => void;
  onStatus: (department: Department) => void;
  tabIndex?: number;
  size?: number;
};

/** The actions on a department that the user may take. */
export function DepartmentMenu({ tabIndex = 0, size = 30, ...props }: Props) {
  const t = useTranslations('departments');
  const { name } = props.department;
  return (
    <Menu position="bottom-end" width={230}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={size} tabIndex={tabIndex} aria-label={t('menu', { name })}>
          <IconDots size={17} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Items {...props} />
      </Menu.Dropdown>
    </Menu>
  );
}

function Items({ department, onDialog, onStatus }: Omit<Props, 'tabIndex' | 'size'>) {
  const t = useTranslations('departments');
  const { can } = useSession();
  const { id, status, allowed_actions: allowed } = department;
  const may = (action: string) => allowed.includes(action);
  const chart = { by: 'department', department: id } as const;
  return (
    <>
      {useDialogs(department).map((dialog) => (
        <Menu.Item key={dialog} onClick={() => onDialog(dialog, id)}>
          {t(`do.${dialog}`)}
        </Menu.Item>
      ))}
      {can('employees.view') && (
        <Menu.Item renderRoot={(props) => <Link {...props} to={paths.orgChart} search={chart} />}>
          {t('do.chart')}
        </Menu.Item>
      )}
      {may('update') && <Menu.Divider />}
      {may('update') && (
        <Menu.Item onClick={() => onStatus(department)}>
          {t(status === 'active' ? 'do.deactivate' : 'do.activate')}
        </Menu.Item>
      )}
      {(may('delete') || (may('update') && can('departments.delete'))) && (
        <Menu.Item color="red" onClick={() => onDialog('delete', id)}>
          {t('do.delete')}
        </Menu.Item>
      )}
    </>
  );
}

/** The dialogs that the user may open about a department, in the order of the menu. */
function useDialogs({ allowed_actions: allowed }: Department) {
  const { can } = useSession();
  const mayUpdate = allowed.includes('update');
  const dialogs = [
    ['edit', mayUpdate],
    ['add', mayUpdate && can('departments.create')],
    ['move', mayUpdate],
    ['manager', allowed.includes('manager')],
    ['lead', allowed.includes('team-lead')],
  ] as const;
  return dialogs.filter(([, allows]) => allows).map(([dialog]) => dialog);
}
