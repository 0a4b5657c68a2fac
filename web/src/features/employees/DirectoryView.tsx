import { ActionIcon, Menu } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconCheck } from '@tabler/icons-react';
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
        <Choice
          kind="menuitemradio"
          on={!view.compact}
          label={t('comfortable')}
          onChoose={() => onChange({ ...view, compact: false })}
        />
        <Choice
          kind="menuitemradio"
          on={view.compact}
          label={t('compact')}
          onChoose={() => onChange({ ...view, compact: true })}
        />
        <Menu.Divider />
        <Menu.Label>{t('columnsLabel')}</Menu.Label>
        {columns
          .filter(({ id }) => id !== 'name')
          .map(({ id, header }) => (
            <Choice
              key={id}
              kind="menuitemcheckbox"
              on={!view.hidden.includes(id)}
              label={header}
              onChoose={() => toggle(id)}
            />
          ))}
      </Menu.Dropdown>
    </Menu>
  );
}

type ChoiceProps = { kind: 'menuitemradio' | 'menuitemcheckbox'; on: boolean; label: string; onChoose: () => void };

const Choice = ({ kind, on, label, onChoose }: ChoiceProps) => (
  <Menu.Item
    role={kind}
    aria-checked={on}
    rightSection={on ? <IconCheck size={15} aria-hidden /> : null}
    onClick={onChoose}
  >
    {label}
  </Menu.Item>
);
