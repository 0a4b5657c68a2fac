import { Button, Select } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notificationSettings, type NotificationEvent, type NotificationSetting } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../../api/query.ts';
import { Dialog, DialogForm, FormActions } from '../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { useToast } from '../../../ui/toasts.tsx';

type Props = { settings: readonly NotificationSetting[] };

/** Sends a test notification of an event to the user. */
export function SendTest({ settings }: Props) {
  const t = useTranslations('notificationSettings');
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" onClick={open}>
        {t('test')}
      </Button>
      <Dialog opened={opened} onClose={close} title={t('testTitle')}>
        <TestForm settings={settings} onClose={close} />
      </Dialog>
    </>
  );
}

function TestForm({ settings, onClose }: Props & { onClose: () => void }) {
  const t = useTranslations('notificationSettings');
  const toast = useToast();
  const test = useSend(notificationSettings.test);
  const [event, setEvent] = useState<NotificationEvent | undefined>(settings[0]?.event);
  const send = () => {
    if (event === undefined) return;
    test.mutate(
      { params: { event } },
      {
        onSuccess: ({ data }) => {
          onClose();
          toast({ text: t('tested', { app: t(`inApp.${data.in_app}`), mail: t(`mail.${data.email}`) }) });
        },
      },
    );
  };
  return (
    <DialogForm onSubmit={send}>
      <ErrorNotice error={test.error} />
      <p>{t('testText')}</p>
      <Select
        label={t('event')}
        data={settings.map(({ event: value, label }) => ({ value, label }))}
        value={event ?? null}
        onChange={(value) => setEvent(settings.find((one) => one.event === value)?.event)}
        allowDeselect={false}
        searchable
        data-autofocus
      />
      <FormActions
        cancel={t('cancel')}
        onCancel={onClose}
        submit={t('sendTest')}
        loading={test.isPending}
        disabled={event === undefined}
      />
    </DialogForm>
  );
}
