import { Box, Flex, Group } from '@mantine/core';
import type { Webhook } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { StatusBadge, type Tone } from '../../ui/StatusBadge.tsx';

const toneOf = ({ status, hindrance, failures }: Webhook): Tone => {
  if (status === 'paused') return 'quiet';
  if (status === 'disabled' || hindrance !== null) return 'danger';
  return failures > 0 ? 'warn' : 'good';
};

function useLabel() {
  const t = useTranslations('webhooks');
  return ({ status, reason, hindrance, failures }: Webhook) => {
    if (status !== 'active') return reason === null ? t(`is.${status}`) : t(`why.${reason}`);
    if (hindrance !== null) return t(`hindered.${hindrance}`);
    return failures > 0 ? t('failing') : t('is.active');
  };
}

/** Whether events are sent, or why not. */
export function State({ webhook }: { webhook: Webhook }) {
  const label = useLabel();
  return <StatusBadge tone={toneOf(webhook)} label={label(webhook)} />;
}

/** The height of the tallest bar, in pixels. */
const height = 24;

/** Successful and failed deliveries of the last 24 hours, one bar per hour. */
export function Hours({ hours }: Pick<Webhook, 'hours'>) {
  const t = useTranslations('webhooks');
  const most = Math.max(1, ...hours.map(({ sent, failed }) => sent + failed));
  const [sent, failed] = [
    hours.reduce((sum, one) => sum + one.sent, 0),
    hours.reduce((sum, one) => sum + one.failed, 0),
  ];
  return (
    <Group gap={8} wrap="nowrap">
      <Flex align="flex-end" gap={1} h={height} aria-hidden>
        {hours.map((one, place) => (
          // oxlint-disable-next-line react/no-array-index-key -- an hour has no identity other than its index
          <Flex key={place} direction="column" w={4}>
            <Box h={(one.failed / most) * height} bg="var(--danger)" />
            <Box h={Math.max(1, (one.sent / most) * height)} bg="var(--series-1)" />
          </Flex>
        ))}
      </Flex>
      <span className="small">{t('hours', { sent, failed })}</span>
    </Group>
  );
}
