import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { webhookDays, webhooks, type Webhook } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { closing } from '../../ui/closing.ts';
import { DateField } from '../../ui/DateField.tsx';
import { Dialog, DialogForm, FormActions } from '../../ui/Dialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { useToast } from '../../ui/toasts.tsx';

type Wanted = 'dead' | 'since';
const dayMs = 86_400_000;

/** The date and time `days` ago in the user's time zone. */
function momentBefore(days: number) {
  const moment = new Date(Date.now() - days * dayMs);
  const two = (part: number) => String(part).padStart(2, '0');
  return {
    day: `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`,
    time: `${two(moment.getHours())}:${two(moment.getMinutes())}`,
  };
}

/** Sends events again, after asking which ones. */
export function SendAgain({ webhook: { id, name, dead_count: dead } }: { webhook: Webhook }) {
  const t = useTranslations('webhooks');
  const toast = useToast();
  const [isAsked, setAsked] = useState(false);
  const [wanted, setWanted] = useState<Wanted>(dead > 0 ? 'dead' : 'since');
  const [since, setSince] = useState(() => momentBefore(1));
  const send = useSend(webhooks.replay);
  const fieldErrors = send.error?.fieldErrors ?? {};
  const close = closing(() => setAsked(false), send);
  const again = () =>
    send.mutate(
      { params: { id }, body: wanted === 'dead' ? { status: wanted } : { since: instantOf(since) } },
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
            value={wanted}
            onChange={({ currentTarget }) => setWanted(currentTarget.value as Wanted)}
            data={[
              { value: 'dead', label: t('again.dead', { count: dead }) },
              { value: 'since', label: t('again.since') },
            ]}
          />
          {wanted === 'since' && <Since value={since} onChange={setSince} error={fieldErrors['since']} />}
          <ErrorNotice error={send.error} {...(wanted === 'since' && { fields: ['since'] })} />
          <FormActions cancel={t('cancel')} onCancel={close} submit={t('again.confirm')} loading={send.isPending} />
        </DialogForm>
      </Dialog>
    </>
  );
}

type Moment = ReturnType<typeof momentBefore>;
/** The moment as an instant; '' if no day or time is entered, which the service refuses. */
const instantOf = ({ day, time }: Moment) => {
  const moment = new Date(`${day}T${time}`);
  return Number.isNaN(moment.getTime()) ? '' : moment.toISOString();
};

type SinceProps = { value: Moment; onChange: (value: Moment) => void; error: string | undefined };

/** The moment from which events are sent again. */
function Since({ value, onChange, error }: SinceProps) {
  const t = useTranslations('webhooks');
  return (
    <Group gap={12} align="flex-start" wrap="nowrap">
      <DateField
        label={t('again.day')}
        value={value.day}
        min={momentBefore(webhookDays).day}
        max={momentBefore(0).day}
        onChange={(day) => onChange({ ...value, day })}
        error={error}
        required
      />
      <TextInput
        type="time"
        label={t('again.time')}
        value={value.time}
        onChange={({ currentTarget }) => onChange({ ...value, time: currentTarget.value })}
        required
      />
    </Group>
  );
}
