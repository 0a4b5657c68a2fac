import { Switch } from '@mantine/core';
import { useTranslations } from 'use-intl';

export const channels = ['in_app', 'email'] as const;
export type Channel = (typeof channels)[number];

type Props = {
  channel: Channel;
  /** The subject of the switch, for its accessible name. */
  what: string;
  on: boolean;
  /** Why the switch is locked; undefined if it is not. */
  reason?: string | undefined;
  onChange: (on: boolean) => void;
};

/** The switch of an event's channel; a locked one shows the reason. */
export function ChannelSwitch({ channel, what, on, reason, onChange }: Props) {
  const t = useTranslations('notificationSettings');
  return (
    <Switch
      size="sm"
      checked={on}
      disabled={reason !== undefined}
      aria-label={t('switch', { what, channel: t(`channel.${channel}`) })}
      {...(reason !== undefined && { description: reason })}
      onChange={({ currentTarget: { checked } }) => onChange(checked)}
    />
  );
}
