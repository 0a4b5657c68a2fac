import { Button } from '@mantine/core';
import { webhooks, type Webhook } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Why } from './Outcome.tsx';

/** Sends a test event, and shows the answer. */
export function SendTest({ webhook: { id } }: { webhook: Webhook }) {
  const t = useTranslations('webhooks');
  const send = useSend(webhooks.test);
  const result = send.data?.data;
  return (
    <>
      <Button loading={send.isPending} onClick={() => send.mutate({ params: { id } })}>
        {t('action.test')}
      </Button>
      <Dialog title={t('test.title')} opened={send.isSuccess || send.isError} onClose={() => send.reset()}>
        <ErrorNotice error={send.error} />
        {result && (
          <>
            <p>{t(result.is_sent ? 'test.sent' : 'test.failed', { ms: result.ms })}</p>
            {!result.is_sent && <Why tried={result} />}
          </>
        )}
        <DialogActions>
          <Button onClick={() => send.reset()}>{t('close')}</Button>
        </DialogActions>
      </Dialog>
    </>
  );
}
