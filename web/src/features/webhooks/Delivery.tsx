import { Button, Code } from '@mantine/core';
import { webhooks, type WebhookDelivery } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { load, useSend } from '../../api/query.ts';
import { closing } from '../../ui/closing.ts';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { LoadingLines } from '../../ui/LoadingLines.tsx';
import { useLastShown } from '../../ui/use-last-shown.ts';
import { useToast } from '../../ui/toasts.tsx';

type Props = { webhookId: number; delivery: WebhookDelivery | undefined; onClose: () => void };

/** One delivery with its event, and a button to send it again. */
export function Delivery({ webhookId, delivery, onClose }: Props) {
  const t = useTranslations('webhooks');
  const toast = useToast();
  const shown = useLastShown(delivery);
  const send = useSend(webhooks.replayDelivery);
  const close = closing(onClose, send);
  if (!shown) return null;
  const params = { id: webhookId, deliveryId: shown.id };
  const again = () =>
    send.mutate(
      { params },
      {
        onSuccess: () => {
          close();
          toast({ text: t('again.queued', { count: 1 }) });
        },
      },
    );
  return (
    <Dialog title={shown.type} opened={delivery !== undefined} onClose={close} size="lg">
      <p className="muted small">
        <code>{`webhook-id: ${shown.message_id}`}</code>
      </p>
      {delivery && <Content params={params} />}
      <ErrorNotice error={send.error} />
      <DialogActions>
        <Button variant="default" onClick={close}>
          {t('close')}
        </Button>
        {shown.allowed_actions.includes('replay') && (
          <Button loading={send.isPending} onClick={again}>
            {t('again.one')}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

/** The event as it is sent; hidden from users who may not read it. */
function Content({ params }: { params: { id: number; deliveryId: number } }) {
  const t = useTranslations('webhooks');
  const query = useQuery(load(webhooks.delivery, { params }));
  if (query.isPending) return <LoadingLines lines={4} />;
  if (!query.data) return <ErrorNotice error={query.error} />;
  const { event } = query.data.data;
  return event ? <Json value={event} /> : <p>{t('hidden')}</p>;
}

/** A value as JSON, indented. */
export const Json = ({ value }: { value: unknown }) => (
  <Code block tabIndex={0}>
    {JSON.stringify(value, null, 2)}
  </Code>
);
