import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { KpiTemplateRow } from '@tenure/contract';
import { useTranslations } from 'use-intl';

/** The confirmation dialogs of a template. */
export const templateDialogs = ['duplicate', 'activate', 'archive', 'delete'] as const;
export type TemplateDialog = (typeof templateDialogs)[number];

type Props = {
  template: KpiTemplateRow;
  onDialog: (dialog: TemplateDialog) => void;
  /** Actions that have their own button beside the menu. */
  without?: readonly TemplateDialog[];
  size?: number;
};

/** The menu of actions that the service allows for a template; hidden if there are none. */
export function TemplateMenu({ template, onDialog, without = [], size = 30 }: Props) {
  const t = useTranslations('kpiTemplates');
  const { name, allowed_actions: allowed } = template;
  const offered = templateDialogs.filter((one) => allowed.includes(one) && !without.includes(one));
  if (offered.length === 0) return null;
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={size} aria-label={t('menu', { name })}>
          <IconDots size={17} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {offered.map((dialog) => (
          <Menu.Item key={dialog} onClick={() => onDialog(dialog)} {...(dialog === 'delete' && { color: 'red' })}>
            {t(`do.${dialog}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
