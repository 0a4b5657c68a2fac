import { Group, Stack } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Message } from '../../ui/Message.tsx';
import { usePermissionGroup } from '../../ui/permission-labels.ts';
import record from '../../ui/RecordPage.module.css';
import { Contents } from './Contents.tsx';
import { PresetSelect, PermissionCheckbox, HoldersButton, type Editing } from './PermissionCells.tsx';

/** The permissions of one role by family, for a phone. */
export function FamilyList(editing: Editing) {
  const t = useTranslations('roles');
  const group = usePermissionGroup();
  if (editing.families.length === 0) return <Message title={t('nothingFound')}>{t('nothingFoundText')}</Message>;
  return editing.families.map((family) => (
    <section key={family.group} className={record['standing']} aria-label={group(family.group)}>
      <Group justify="space-between">
        <h2 style={{ fontSize: '0.9375rem' }}>{group(family.group)}</h2>
        <PresetSelect {...editing} family={family} />
      </Group>
      <Stack gap={4}>
        {family.shown.map((permission) => (
          <Group key={permission.id} justify="space-between" wrap="nowrap">
            <div>
              <PermissionCheckbox labelled {...editing} family={family} permission={permission} />
              <Contents permission={permission} />
            </div>
            <HoldersButton permission={permission} onHolders={editing.onHolders} />
          </Group>
        ))}
      </Stack>
    </section>
  ));
}
