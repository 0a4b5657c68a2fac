import { ActionIcon, Button, Group, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';

type Props<Action extends string> = {
  /** The actions that the user may take. */
  actions: readonly Action[];
  /** The actions with buttons, by importance; all others are in the menu. */
  buttons: readonly Action[];
  isPrimary: (action: Action) => boolean;
  destructive: readonly Action[];
  label: (action: Action) => string;
  /** The label of the menu. */
  more: string;
  onDo: (action: Action) => void;
};

/** The actions of a workflow record. */
export function HeaderActions<Action extends string>({ actions, buttons, ...shared }: Props<Action>) {
  const { isPrimary, label, onDo } = shared;
  const others = actions.filter((action) => !buttons.includes(action));
  return (
    <Group gap={8}>
      {buttons
        .filter((action) => actions.includes(action))
        .map((action) => (
          <Button key={action} {...(!isPrimary(action) && { variant: 'default' })} onClick={() => onDo(action)}>
            {label(action)}
          </Button>
        ))}
      {others.length > 0 && <MoreActions {...shared} actions={others} />}
    </Group>
  );
}

function MoreActions<Action extends string>(props: Omit<Props<Action>, 'buttons' | 'isPrimary'>) {
  const { actions, destructive, label, more, onDo } = props;
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={more}>
          <IconDots size={17} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map((action) => (
          <Menu.Item key={action} onClick={() => onDo(action)} {...(destructive.includes(action) && { color: 'red' })}>
            {label(action)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
