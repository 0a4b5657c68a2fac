import { Textarea } from '@mantine/core';
import { absences, type Absence, type Employee } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../../api/query.ts';
import { AutoGrid } from '../../../ui/AutoGrid.tsx';
import { DateField } from '../../../ui/DateField.tsx';
import { today } from '../../../ui/time-served.ts';
import { useToast } from '../../../ui/toasts.tsx';
import { StepDialog } from '../lifecycle/StepDialog.tsx';

type Props = { employee: Employee; row: Absence | null; onClose: () => void };

/** Records an absence, or changes one. The reason is offered to users who may read it, and only while it is shown. */
export function AbsenceDialog({ employee, row, onClose }: Props) {
  const t = useTranslations('absences');
  const toast = useToast();
  const [from, setFrom] = useState(row?.first_day ?? today());
  const [to, setTo] = useState(row?.last_day ?? '');
  const [reason, setReason] = useState(row?.absence_reason ?? '');
  const save = useSave(employee.id, row);
  const errors = save.error?.fieldErrors ?? {};
  const name = employee.display_name;
  const hasReason = row ? row.absence_reason !== undefined : employee.private_details !== undefined;
  const isReasonSent = hasReason && reason !== (row?.absence_reason ?? '');
  return (
    <StepDialog
      title={t(row ? 'dialog.change' : 'dialog.record', { name })}
      consequences={[t('dialog.stays', { name })]}
      action={t('dialog.save')}
      disabled={from === ''}
      error={save.error}
      fields={['first_day', 'last_day', 'absence_reason']}
      isPending={save.isPending}
      onClose={onClose}
      onSubmit={() =>
        save.send(
          { first_day: from, last_day: to || null, ...(isReasonSent && { absence_reason: reason || null }) },
          () => {
            toast({ text: t('dialog.saved') });
            onClose();
          },
        )
      }
    >
      <AutoGrid min="12rem" gap={14} fit>
        <DateField label={t('from')} required value={from} onChange={setFrom} error={errors['first_day']} />
        <DateField label={t('to')} description={t('openEnd')} value={to} onChange={setTo} error={errors['last_day']} />
      </AutoGrid>
      {hasReason && (
        <Textarea
          label={t('reason')}
          description={t('reasonHint')}
          rows={2}
          maxLength={500}
          value={reason}
          error={errors['absence_reason']}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      )}
    </StepDialog>
  );
}

type Body = { first_day: string; last_day: string | null; absence_reason?: string | null };

function useSave(id: number, row: Absence | null) {
  const create = useSend(absences.create);
  const update = useSend(absences.update);
  const send = (body: Body, onSuccess: () => void) => {
    if (row)
      update.mutate({ params: { id, absenceId: row.id }, body: { ...body, revision: row.revision } }, { onSuccess });
    else create.mutate({ params: { id }, body }, { onSuccess });
  };
  const { error, isPending } = row ? update : create;
  return { send, error, isPending };
}
