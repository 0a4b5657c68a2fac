import { absences, type Absence, type Employee } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../../api/query.ts';
import { DateField } from '../../../ui/DateField.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import { StepDialog } from '../lifecycle/StepDialog.tsx';

type Props = { employee: Employee; row: Absence; onClose: () => void };

/** Ends an absence with the first day back; for a while this can be undone. */
export function EndDialog({ employee, row, onClose }: Props) {
  const t = useTranslations('absences');
  const toast = useToast();
  const [back, setBack] = useState(employee.today);
  const end = useSend(absences.end);
  const again = useSend(absences.update);
  const params = { id: employee.id, absenceId: row.id };
  const undo = () =>
    void again.mutateAsync({ params, body: { last_day: row.last_day } }).catch(() => toast({ text: t('notUndone') }));
  return (
    <StepDialog
      title={t('end.title', { name: employee.display_name })}
      consequences={[t('end.then')]}
      action={t('end.action')}
      disabled={back === ''}
      error={end.error}
      fields={['back_on']}
      isPending={end.isPending}
      onClose={onClose}
      onSubmit={() =>
        end.mutate(
          { params, body: { back_on: back, revision: row.revision } },
          {
            onSuccess: () => {
              toast({ text: t('end.done'), undo });
              onClose();
            },
          },
        )
      }
    >
      <DateField
        label={t('end.day')}
        required
        value={back}
        onChange={setBack}
        error={end.error?.fieldErrors['back_on']}
      />
    </StepDialog>
  );
}
