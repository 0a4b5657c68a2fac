import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { CycleDepartment, KpiCycle } from '@tenure/contract';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { lazyPart } from '../../../ui/lazy-part.ts';

const ReplaceTemplate = lazyPart(() => import('./ReplaceTemplate.tsx'), 'ReplaceTemplate', 'kpi-cycle-mend');
const AddPeople = lazyPart(() => import('./AddPeople.tsx'), 'AddPeople', 'kpi-cycle-mend');

/** A published department and its change: another template, or more people. */
export type Mending = { what: 'replace' | 'add'; row: CycleDepartment };
type MenuProps = { row: CycleDepartment; onOpen: (mending: Mending) => void };

/** The menu of changes to a published department. */
export function DepartmentMenu({ row, onOpen }: MenuProps) {
  const t = useTranslations('kpiCycles');
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={30} aria-label={t('menu', { name: row.department.name })}>
          <IconDots size={17} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onOpen({ what: 'replace', row })}>{t('replaceTemplate')}</Menu.Item>
        <Menu.Item onClick={() => onOpen({ what: 'add', row })}>{t('addPeople')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

type DialogProps = { cycle: KpiCycle; mending: Mending | undefined; onClose: () => void };

/** The open dialog. It is outside the list, which switches between table and cards with the width of the window. */
export function MendDialog({ cycle, mending, onClose }: DialogProps) {
  if (!mending) return null;
  const { what, row } = mending;
  const department = { id: row.department_id, entity_id: row.entity_id };
  return (
    <Suspense>
      {what === 'replace' ? (
        <ReplaceTemplate row={row} onClose={onClose} />
      ) : (
        <AddPeople cycle={cycle} department={department} onClose={onClose} />
      )}
    </Suspense>
  );
}
