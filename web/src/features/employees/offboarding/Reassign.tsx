import {
  responsibilities,
  responsibilityKinds,
  type Employee,
  type Responsibility,
  type ResponsibilityKind,
} from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../../api/query.ts';
import { Dialog, DialogForm, FormActions } from '../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { PersonPicker } from '../../../ui/PersonPicker.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import { Consequences } from '../lifecycle/Consequences.tsx';

/** The responsibilities to reassign: rows of the list, or all of them. */
export type Wanted = { rows: readonly Responsibility[] | 'all' };

type Counts = Partial<Record<ResponsibilityKind, number>>;

function countsOf({ responsibilities: all }: Employee, { rows }: Wanted): Counts {
  if (rows === 'all')
    return {
      department_managed: all?.departments_managed ?? 0,
      department_led: all?.departments_led ?? 0,
      direct_report: all?.direct_reports ?? 0,
      evaluation: all?.open_evaluations ?? 0,
      probation_review: all?.open_probation_reviews ?? 0,
      kpi_cycle: all?.cycles_owned ?? 0,
    };
  const counts: Counts = {};
  for (const { kind } of rows) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

type Props = { employee: Employee; wanted: Wanted; onClose: () => void; onDone: () => void };

/** Selects the successor and shows the consequences before reassigning. */
export function Reassign({ employee, wanted, onClose, onDone }: Props) {
  const t = useTranslations('offboarding.dialog');
  const [taker, setTaker] = useState<number>();
  const counts = countsOf(employee, wanted);
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const toast = useToast();
  const { submit, error, isPending } = useReassign(employee.id, wanted, () => {
    toast({ text: t('done', { count: total }) });
    onDone();
  });
  return (
    <Dialog title={t('title', { count: total, name: employee.display_name })} opened onClose={onClose}>
      <DialogForm onSubmit={() => submit(taker)}>
        <Effects counts={counts} />
        <ErrorNotice error={error} fields={['reassign_to']} />
        <PersonPicker
          label={t('to')}
          description={t('hint')}
          required
          except={employee.id}
          value={taker}
          onChange={(id) => setTaker(id)}
          error={error?.fieldErrors['reassign_to']}
        />
        <FormActions
          cancel={t('cancel')}
          onCancel={onClose}
          submit={t('action')}
          loading={isPending}
          disabled={taker === undefined}
        />
      </DialogForm>
    </Dialog>
  );
}

/** The responsibilities that are reassigned, by kind. */
function Effects({ counts }: { counts: Counts }) {
  const t = useTranslations('offboarding.dialog');
  return (
    <Consequences>
      {responsibilityKinds.map((kind) => {
        const count = counts[kind] ?? 0;
        return count > 0 && <li key={kind}>{t(`consequence.${kind}`, { count })}</li>;
      })}
      <li>{t('notified')}</li>
    </Consequences>
  );
}

function useReassign(id: number, { rows }: Wanted, onDone: () => void) {
  const send = useSend(responsibilities.reassign);
  const items = rows === 'all' ? {} : { items: rows.map(({ kind, id: item }) => ({ kind, id: item })) };
  const submit = (taker: number | undefined) => {
    if (taker === undefined) return;
    send.mutate({ params: { id }, body: { reassign_to: taker, ...items } }, { onSuccess: onDone });
  };
  return { submit, error: send.error, isPending: send.isPending };
}
