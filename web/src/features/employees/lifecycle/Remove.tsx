import { consequences, employees } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { load, useSend } from '../../../api/query.ts';
import { paths } from '../../../paths.ts';
import { useToast } from '../../../ui/toasts.tsx';
import { useAllTies } from './SuccessorField.tsx';
import { StepDialog } from './StepDialog.tsx';
import { useStep } from './use-step.ts';
import type { StepProps } from './WithReason.tsx';

/** Deletes a person who was added by mistake. */
export function Remove({ employee, onClose }: StepProps) {
  const t = useTranslations('steps');
  const toast = useToast();
  const navigate = useNavigate();
  const state = useStep('delete', employees.delete, employee);
  const restore = useSend(employees.restore);
  const ties = useAllTies(employee);
  const found = useQuery({ ...load(consequences.ofEmployee, { params: { id: employee.id } }), retry: false });
  const obstacle = found.data?.data.delete;
  const name = employee.display_name;
  const undo = () =>
    void restore
      .mutateAsync({ params: { id: employee.id }, body: { reason: t('delete.undoReason') } })
      .catch(() => toast({ text: t('delete.notUndone') }));
  return (
    <StepDialog
      title={t('delete.title', { name })}
      consequences={[t('delete.then', { name }), t('delete.later'), ...ties]}
      action={t('delete.action')}
      danger
      disabled={obstacle?.possible === false}
      error={state.error}
      isPending={state.isPending}
      onClose={onClose}
      onSubmit={() =>
        state.send(undefined, () => {
          toast({ text: t('delete.done', { name }), undo });
          void navigate({ to: paths.employees });
        })
      }
    >
      {obstacle?.message && <p role="alert">{obstacle.message}</p>}
    </StepDialog>
  );
}
