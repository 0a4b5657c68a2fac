import { ActionIcon, Menu } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import { usePhone } from '../../ui/use-phone.ts';

export type View = { compact: boolean; hidden: string[] };
export const defaultView: View = { compact: false, hidden: ['email'] };

type Props = { view: View; onChange: (view: View) => void; columns: readonly { id: string; header: string }[] };

/** Which columns the directory shows and how dense it is; kept in this browser. A phone shows cards instead. */
export function DirectoryView({ view, onChange, columns }: Props) {
  const t = useTranslations('employees');
  if (usePhone()) return null;
  const toggle = (id: string) =>
    onChange({
      ...view,
      hidden: view.hidden.includes(id) ? view.hidden.filter((one) => one !== id) : [...view.hidden, id],
    });
  return (
    <Menu position="bottom-end" width={220} closeOnItemClick={false}>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={t('columns')}>
          <IconAdjustmentsHorizontal size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('density')}</Menu.Label>
        <Menu.RadioGroup
          value={view.compact ? 'compact' : 'comfortable'}
          onChange={(density) => onChange({ ...view, compact: density === 'compact' })}
        >
          <Menu.RadioItem value="comfortable">{t('comfortable')}</Menu.RadioItem>
          <Menu.RadioItem value="compact">{t('compact')}</Menu.RadioItem>
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Label>{t('columnsLabel')}</Menu.Label>
        {columns
          .filter(({ id }) => id !== 'name')
          .map(({ id, header }) => (
            <Menu.CheckboxItem key={id} checked={!view.hidden.includes(id)} onChange={() => toggle(id)}>
              {header}
            </Menu.CheckboxItem>
          ))}
      </Menu.Dropdown>
    </Menu>
  );
}
