import { Button, NativeSelect } from '@mantine/core';
import { webhooks, type Webhook } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { Dialog, DialogForm, FormActions } from '../../ui/Dialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { useToast } from '../../ui/toasts.tsx';

/** Which events are sent again: those that were given up, or all of the last hours. */
const spans = ['dead', '1', '24', '168', '720'] as const;
type Span = (typeof spans)[number];
const hour = 3_600_000;

const bodyOf = (span: Span) =>
  span === 'dead' ? { status: 'dead' as const } : { since: new Date(Date.now() - Number(span) * hour).toISOString() };

/** Sends events again, after a question which ones. */
export function SendAgain({ webhook: { id, name, dead_count: dead } }: { webhook: Webhook }) {
  const t = useTranslations('webhooks');
  const toast = useToast();
  const [isAsked, setAsked] = useState(false);
  const [span, setSpan] = useState<Span>('dead');
  const send = useSend(webhooks.replay);
  const close = () => {
    send.reset();
    setAsked(false);
  };
  const again = () =>
    send.mutate(
      { params: { id }, body: bodyOf(span) },
      {
        onSuccess: ({ data }) => {
          close();
          toast({ text: t('again.queued', { count: data.queued }) });
        },
      },
    );
  return (
    <>
      <Button variant="default" onClick={() => setAsked(true)}>
        {t('action.again')}
      </Button>
      <Dialog title={t('again.title', { name })} opened={isAsked} onClose={close}>
        <DialogForm onSubmit={again}>
          <p>{t('again.about')}</p>
          <NativeSelect
            label={t('again.which')}
            value={span}
            onChange={({ currentTarget }) => setSpan(currentTarget.value as Span)}
            data={spans.map((value) => ({
              value,
              label: value === 'dead' ? t('again.dead', { count: dead }) : t(`again.span.h${value}`),
            }))}
          />
          <ErrorNotice error={send.error} />
          <FormActions cancel={t('cancel')} onCancel={close} submit={t('again.confirm')} loading={send.isPending} />
        </DialogForm>
      </Dialog>
    </>
  );
}
