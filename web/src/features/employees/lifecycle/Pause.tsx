import { employees } from '@tenure/contract';
import { endAfterPause } from '@tenure/contract/probation-days';
import { useTranslations } from 'use-intl';
import { DateField } from '../../../ui/DateField.tsx';
import { Day } from '../../../ui/Dates.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import { Reason, StepDialog } from './StepDialog.tsx';
import { useStep } from './use-step.ts';
import type { StepProps } from './WithReason.tsx';

/** Pauses the probation during a long absence. */
export function Pause({ employee, onClose }: StepProps) {
  const t = useTranslations('steps');
  const toast = useToast();
  const state = useStep('probation-pause', employees.pauseProbation, employee, { absent_from: employee.today });
  const name = employee.display_name;
  const [absent_from, reason] = [state.text('absent_from'), state.text('reason')];
  return (
    <StepDialog
      title={t('pause.title', { name })}
      consequences={[t('pause.then'), t('pause.later')]}
      action={t('pause.action')}
      error={state.error}
      fields={['absent_from', 'reason']}
      isPending={state.isPending}
      onClose={onClose}
      onSubmit={() =>
        state.send({ absent_from, reason }, () => {
          toast({ text: t('pause.done', { name }) });
          onClose();
        })
      }
    >
      <DateField label={t('pause.day')} required max={employee.today} {...state.field('absent_from')} />
      <Reason {...state.field('reason')} />
    </StepDialog>
  );
}

/** Resumes the probation, and shows its new end. */
export function Resume({ employee, onClose }: StepProps) {
  const t = useTranslations('steps');
  const toast = useToast();
  const state = useStep('probation-resume', employees.resumeProbation, employee, { back_on: employee.today });
  const name = employee.display_name;
  const [back, reason] = [state.text('back_on'), state.text('reason')];
  const { probation_end_date: end, probation_paused_from: from } = employee;
  const until = end && from && back > from ? endAfterPause(end, { from, back }) : null;
  return (
    <StepDialog
      title={t('resume.title', { name })}
      consequences={[
        <>
          {t('resume.since')} <Day value={from ?? ''} />
        </>,
        until === null ? (
          t('resume.then')
        ) : (
          <>
            {t('resume.newEnd')} <Day value={until} />
          </>
        ),
      ]}
      action={t('resume.action')}
      error={state.error}
      fields={['back_on', 'reason']}
      isPending={state.isPending}
      onClose={onClose}
      onSubmit={() =>
        state.send({ back_on: back, reason }, () => {
          toast({ text: t('resume.done', { name }) });
          onClose();
        })
      }
    >
      <DateField label={t('resume.day')} required max={employee.today} {...state.field('back_on')} />
      <Reason {...state.field('reason')} />
    </StepDialog>
  );
}
