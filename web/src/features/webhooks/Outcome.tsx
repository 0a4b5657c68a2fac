import { Stack } from '@mantine/core';
import type { WebhookDelivery } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { StatusBadge } from '../../ui/StatusBadge.tsx';

type Tried = Pick<WebhookDelivery, 'status' | 'http_status' | 'error'>;
const tones = { pending: 'info', sent: 'good', dead: 'danger' } as const;

/** The receiver's answer, or why there was none. */
export function Why({ tried: { http_status: code, error } }: { tried: Pick<Tried, 'http_status' | 'error'> }) {
  const t = useTranslations('webhooks');
  if (error === null) return null;
  return (
    <span className="muted small">
      {error === 'status' && code !== null ? t('answered', { code }) : t(`error.${error}`)}
    </span>
  );
}

/** The state of a delivery, and the receiver's last answer. */
export function Outcome({ tried }: { tried: Tried }) {
  const t = useTranslations('webhooks');
  return (
    <Stack gap={2} align="flex-start">
      <StatusBadge tone={tones[tried.status]} label={t(`status.${tried.status}`)} />
      <Why tried={tried} />
    </Stack>
  );
}
