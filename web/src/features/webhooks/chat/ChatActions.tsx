import { Button } from '@mantine/core';
import { chatTargets, type ChatTarget } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../../api/query.ts';
import { closing } from '../../../ui/closing.ts';
import { Dialog, DialogActions, DialogForm, FormActions } from '../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { useToast } from '../../../ui/toasts.tsx';

/** Posts a test message, and shows the channel's answer. */
export function TestTarget({ target: { id, name } }: { target: ChatTarget }) {
  const t = useTranslations('chatTargets');
  const send = useSend(chatTargets.test);
  const result = send.data?.data;
  const answerOf = ({ is_sent, http_status: code }: NonNullable<typeof result>) => {
    if (is_sent) return t('accepted');
    return code === null ? t('refused') : t('refusedWith', { code: String(code) });
  };
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        loading={send.isPending}
        onClick={() => send.mutate({ params: { id } })}
      >
        {t('test')}
        <span className="visually-hidden"> {name}</span>
      </Button>
      <Dialog title={t('testOf', { name })} opened={send.isSuccess || send.isError} onClose={() => send.reset()}>
        <ErrorNotice error={send.error} />
        {result && <p>{answerOf(result)}</p>}
        <DialogActions>
          <Button onClick={() => send.reset()}>{t('done')}</Button>
        </DialogActions>
      </Dialog>
    </>
  );
}

/** Resumes posts to a stopped channel after a confirmation; the user becomes responsible for the channel. */
export function ResumeTarget({ target: { id, name, revision } }: { target: ChatTarget }) {
  const t = useTranslations('chatTargets');
  const toast = useToast();
  const [isAsked, setAsked] = useState(false);
  const send = useSend(chatTargets.resume);
  const close = closing(() => setAsked(false), send);
  const resume = () =>
    send.mutate(
      { params: { id }, body: { revision } },
      {
        onSuccess: () => {
          close();
          toast({ text: t('resumed', { name }) });
        },
      },
    );
  return (
    <>
      <Button size="compact-sm" onClick={() => setAsked(true)}>
        {t('resume')}
        <span className="visually-hidden"> {name}</span>
      </Button>
      <Dialog title={t('resumeAsk', { name })} opened={isAsked} onClose={close}>
        <DialogForm onSubmit={resume}>
          <p>{t('resumeText')}</p>
          <ErrorNotice error={send.error} />
          <FormActions cancel={t('cancel')} onCancel={close} submit={t('resumeConfirm')} loading={send.isPending} />
        </DialogForm>
      </Dialog>
    </>
  );
}

/** Deletes a channel after a confirmation. */
export function DeleteTarget({ target: { id, name } }: { target: ChatTarget }) {
  const t = useTranslations('chatTargets');
  const toast = useToast();
  const [isAsked, setAsked] = useState(false);
  const send = useSend(chatTargets.delete);
  const close = closing(() => setAsked(false), send);
  const remove = () =>
    send.mutate(
      { params: { id } },
      {
        onSuccess: () => {
          close();
          toast({ text: t('deleted', { name }) });
        },
      },
    );
  return (
    <>
      <Button variant="subtle" color="red" size="compact-sm" onClick={() => setAsked(true)}>
        {t('delete')}
        <span className="visually-hidden"> {name}</span>
      </Button>
      <Dialog title={t('deleteAsk', { name })} opened={isAsked} onClose={close}>
        <DialogForm onSubmit={remove}>
          <p>{t('deleteText')}</p>
          <ErrorNotice error={send.error} />
          <FormActions
            cancel={t('cancel')}
            onCancel={close}
            submit={t('deleteConfirm')}
            color="red"
            loading={send.isPending}
          />
        </DialogForm>
      </Dialog>
    </>
  );
}
