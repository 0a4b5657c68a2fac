import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { lazyPart } from '../../../ui/lazy-part.ts';
import type { RowMenuProps } from './RowMenuItems.tsx';

const RowMenuItems = lazyPart(() => import('./RowMenuItems.tsx'), 'RowMenuItems', 'profile');

/** The menu of a person in the list. */
export function RowMenu(props: RowMenuProps) {
  const t = useTranslations('employees.row');
  return (
    <Menu position="bottom-end" width={230}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          size={32}
          color="gray"
          aria-label={t('label', { name: props.employee.display_name })}
        >
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Suspense fallback={null}>
          <RowMenuItems {...props} />
        </Suspense>
      </Menu.Dropdown>
    </Menu>
  );
}
