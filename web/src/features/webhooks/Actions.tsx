import { Button, Group } from '@mantine/core';
import { webhooks, type Webhook } from '@tenure/contract';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { closing } from '../../ui/closing.ts';
import { Dialog, DialogForm, FormActions } from '../../ui/Dialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { useLastShown } from '../../ui/use-last-shown.ts';
import { useToast } from '../../ui/toasts.tsx';
import { SendAgain } from './SendAgain.tsx';
import { SendTest } from './SendTest.tsx';

const route = getRouteApi('/shell/settings/webhooks');
const questions = ['delete', 'pause', 'resume'] as const;
type Question = (typeof questions)[number];

/** The actions that the user may take on a webhook. */
export function Actions({ webhook }: { webhook: Webhook }) {
  const t = useTranslations('webhooks');
  const [asked, setAsked] = useState<Question>();
  const allowed = new Set(webhook.allowed_actions);
  return (
    <Group gap={8}>
      {questions
        .filter((action) => allowed.has(action))
        .map((action) => (
          <Button key={action} variant={action === 'resume' ? 'filled' : 'default'} onClick={() => setAsked(action)}>
            {t(`action.${action}`)}
          </Button>
        ))}
      {allowed.has('replay') && <SendAgain webhook={webhook} />}
      {allowed.has('test') && <SendTest webhook={webhook} />}
      <Confirm webhook={webhook} asked={asked} onClose={() => setAsked(undefined)} />
    </Group>
  );
}

function useAct({ id, revision }: Webhook) {
  const sends = {
    delete: useSend(webhooks.delete),
    pause: useSend(webhooks.pause),
    resume: useSend(webhooks.resume),
  };
  const act = (question: Question, onSuccess: () => void) => {
    if (question === 'delete') sends.delete.mutate({ params: { id } }, { onSuccess });
    else sends[question].mutate({ params: { id }, body: { revision } }, { onSuccess });
  };
  return { sends, act };
}

type Props = { webhook: Webhook; asked: Question | undefined; onClose: () => void };

function Confirm({ webhook, asked, onClose }: Props) {
  const t = useTranslations('webhooks');
  const toast = useToast();
  const navigate = route.useNavigate();
  const { sends, act } = useAct(webhook);
  const { question } = useLastShown(asked && { question: asked }) ?? { question: 'pause' as const };
  const { name, pending_count: count } = webhook;
  // while the webhook was disabled, no events were kept for it
  const about = question === 'resume' && webhook.status === 'disabled' ? 'resumeDisabled' : question;
  const send = sends[question];
  const close = closing(onClose, send);
  const done = () => {
    close();
    toast({ text: t(`done.${question}`, { name }) });
    if (question === 'delete') void navigate({ search: {}, ignoreBlocker: true });
  };
  return (
    <Dialog title={t(`ask.${question}`, { name })} opened={asked !== undefined} onClose={close}>
      <DialogForm onSubmit={() => act(question, done)}>
        <p>{t(`about.${about}`, { count })}</p>
        <ErrorNotice error={send.error} />
        <FormActions
          cancel={t('cancel')}
          onCancel={close}
          submit={t(`confirm.${question}`)}
          loading={send.isPending}
          {...(question === 'delete' && { color: 'red' })}
        />
      </DialogForm>
    </Dialog>
  );
}
