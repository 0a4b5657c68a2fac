import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { CycleDepartment, KpiCycle } from '@tenure/contract';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { lazyPart } from '../../../ui/lazy-part.ts';

const ReplaceTemplate = lazyPart(() => import('./ReplaceTemplate.tsx'), 'ReplaceTemplate', 'kpi-cycle-mend');
const AddPeople = lazyPart(() => import('./AddPeople.tsx'), 'AddPeople', 'kpi-cycle-mend');

/** What can be put right in a published department: its template, and people who are missing. */
export function DepartmentMenu({ cycle, row }: { cycle: KpiCycle; row: CycleDepartment }) {
  const t = useTranslations('kpiCycles');
  const [open, setOpen] = useState<'replace' | 'add'>();
  const close = () => setOpen(undefined);
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={30} aria-label={t('menu', { name: row.department.name })}>
            <IconDots size={17} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setOpen('replace')}>{t('replaceTemplate')}</Menu.Item>
          <Menu.Item onClick={() => setOpen('add')}>{t('addPeople')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Suspense>
        {open === 'replace' && <ReplaceTemplate row={row} onClose={close} />}
        {open === 'add' && (
          <AddPeople cycle={cycle} department={{ id: row.department_id, entity_id: row.entity_id }} onClose={close} />
        )}
      </Suspense>
    </>
  );
}
