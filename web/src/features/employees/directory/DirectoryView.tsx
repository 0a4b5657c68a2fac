import { ActionIcon, Menu } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import type { ListLayout } from '../../../ui/use-list-layout.ts';
import { usePhone } from '../../../ui/use-phone.ts';
import { groups, type EmployeesSearch, type Group } from '../search.ts';

type Props = {
  layout: ListLayout;
  onLayout: (change: Partial<ListLayout>) => void;
  /** The available columns; the first is always shown. */
  columns: readonly { id: string; header: string }[];
  group: EmployeesSearch['group'];
  onGroup: (group: Group | undefined) => void;
};

/** The columns, density and grouping of the directory. A phone shows cards instead. */
export function DirectoryView({ layout, onLayout, columns, group, onGroup }: Props) {
  const t = useTranslations('employees');
  if (usePhone()) return null;
  return (
    <Menu position="bottom-end" width={230} closeOnItemClick={false}>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={t('columns')}>
          <IconAdjustmentsHorizontal size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown mah="70vh" style={{ overflowY: 'auto' }}>
        <Menu.Label>{t('density')}</Menu.Label>
        <Menu.RadioGroup
          value={layout.density}
          onChange={(density) => onLayout({ density: density === 'compact' ? 'compact' : 'comfortable' })}
        >
          <Menu.RadioItem value="comfortable">{t('comfortable')}</Menu.RadioItem>
          <Menu.RadioItem value="compact">{t('compact')}</Menu.RadioItem>
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Label>{t('groupBy')}</Menu.Label>
        <Menu.RadioGroup value={group ?? ''} onChange={(chosen) => onGroup(groups.find((one) => one === chosen))}>
          <Menu.RadioItem value="">{t('groups.none')}</Menu.RadioItem>
          {groups.map((one) => (
            <Menu.RadioItem key={one} value={one}>
              {t(`groups.${one}`)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Label>{t('columnsLabel')}</Menu.Label>
        <ColumnItems
          shown={layout.columns}
          offered={columns.slice(1)}
          onShow={(shown) => onLayout({ columns: shown })}
        />
      </Menu.Dropdown>
    </Menu>
  );
}

type ItemsProps = { shown: readonly string[]; offered: Props['columns']; onShow: (shown: string[]) => void };

/** The available columns; visible ones are ticked. */
function ColumnItems({ shown, offered, onShow }: ItemsProps) {
  const toggle = (id: string) => {
    const next = shown.includes(id) ? shown.filter((one) => one !== id) : [...shown, id];
    // In the offered order; columns that this list does not offer come last.
    const positionOf = (one: string) => offered.findIndex((column) => column.id === one) >>> 0;
    onShow(next.toSorted((a, b) => positionOf(a) - positionOf(b)));
  };
  return offered.map(({ id, header }) => (
    <Menu.CheckboxItem key={id} checked={shown.includes(id)} onChange={() => toggle(id)}>
      {header}
    </Menu.CheckboxItem>
  ));
}
