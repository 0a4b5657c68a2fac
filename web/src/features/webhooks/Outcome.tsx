import { Stack } from '@mantine/core';
import type { WebhookDelivery } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { StatusBadge } from '../../ui/StatusBadge.tsx';

type Tried = Pick<WebhookDelivery, 'status' | 'http_status' | 'error'>;
const tones = { pending: 'info', sent: 'good', dead: 'danger' } as const;

/** What became of a delivery, and what the receiver answered last. */
export function Outcome({ tried: { status, http_status: code, error } }: { tried: Tried }) {
  const t = useTranslations('webhooks');
  const why = error === 'status' && code !== null ? t('answered', { code }) : error && t(`error.${error}`);
  return (
    <Stack gap={2} align="flex-start">
      <StatusBadge tone={tones[status]} label={t(`status.${status}`)} />
      {why && <span className="muted small">{why}</span>}
    </Stack>
  );
}
