import { Switch } from '@mantine/core';
import { useTranslations } from 'use-intl';

export const channels = ['in_app', 'email'] as const;
export type Channel = (typeof channels)[number];

type Props = {
  channel: Channel;
  /** What the switch is about, for its name. */
  what: string;
  on: boolean;
  /** Why it cannot be switched; undefined when it can. */
  reason?: string | undefined;
  onChange: (on: boolean) => void;
};

/** Whether an event is told through a channel; one that is locked says why. */
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
