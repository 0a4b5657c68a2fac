import { Button, Group } from '@mantine/core';
import { employees, type Employee } from '@tenure/contract';
import { extendedProbationEnd } from '@tenure/contract/probation-days';
import { useTranslations } from 'use-intl';
import { DateField } from '../../../ui/DateField.tsx';
import { Day } from '../../../ui/Dates.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import { Reason, StepDialog } from './StepDialog.tsx';
import { useStep } from './use-step.ts';
import type { StepProps } from './WithReason.tsx';

/** Confirms a successful probation. */
export function Confirm({ employee, onClose }: StepProps) {
  const t = useTranslations('steps');
  const toast = useToast();
  const state = useStep('confirm', employees.confirm, employee, { confirmation_date: employee.today });
  const name = employee.display_name;
  return (
    <StepDialog
      title={t('confirm.title', { name })}
      consequences={[t('confirm.then', { name })]}
      action={t('confirm.action')}
      error={state.error}
      fields={['confirmation_date', 'reason']}
      isPending={state.isPending}
      onClose={onClose}
      onSubmit={() =>
        state.send({ confirmation_date: state.text('confirmation_date'), reason: state.text('reason') }, () => {
          toast({ text: t('confirm.done', { name }) });
          onClose();
        })
      }
    >
      <DateField label={t('confirm.day')} required max={employee.today} {...state.field('confirmation_date')} />
      <Reason {...state.field('reason')} />
    </StepDialog>
  );
}

const spans = [1, 3, 6] as const;

const endAfter = ({ probation_start_date: start, probation_end_date: end, today }: Employee, months: number): string =>
  extendedProbationEnd(start ?? null, end ?? today, months) ?? '';

type NewEndProps = StepProps & {
  step: 'extend-probation' | 'correct-probation';
  endpoint: typeof employees.extendProbation | typeof employees.correctProbation;
  texts: 'extend' | 'correct';
  start: string;
};

/** A new end of the probation, with the reason. */
function NewEnd({ employee, onClose, step, endpoint, texts, start }: NewEndProps) {
  const t = useTranslations('steps');
  const toast = useToast();
  const { probation_end_date: end } = employee;
  const state = useStep(step, endpoint, employee, { probation_end_date: start });
  const name = employee.display_name;
  const [day, reason] = [state.text('probation_end_date'), state.text('reason')];
  return (
    <StepDialog
      title={t(`${texts}.title`, { name })}
      consequences={[
        <>
          {t('extend.endsNow')} <Day value={end ?? ''} />
        </>,
        t(`${texts}.then`),
      ]}
      action={t(`${texts}.action`)}
      error={state.error}
      fields={['probation_end_date', 'reason']}
      isPending={state.isPending}
      onClose={onClose}
      onSubmit={() =>
        state.send({ probation_end_date: day, reason }, () => {
          toast({ text: t(`${texts}.done`, { name }) });
          onClose();
        })
      }
    >
      <div>
        <DateField label={t('extend.day')} required {...state.field('probation_end_date')} />
        {texts === 'extend' && (
          <Spans onChoose={(months) => state.set('probation_end_date', endAfter(employee, months))} />
        )}
      </div>
      <Reason {...state.field('reason')} />
    </StepDialog>
  );
}

/** Extends the probation, as often as the company allows. */
export const Extend = (props: StepProps) => (
  <NewEnd
    {...props}
    step="extend-probation"
    endpoint={employees.extendProbation}
    texts="extend"
    start={endAfter(props.employee, 3)}
  />
);

/** Corrects a mistyped end of the probation. */
export const CorrectEnd = (props: StepProps) => (
  <NewEnd
    {...props}
    step="correct-probation"
    endpoint={employees.correctProbation}
    texts="correct"
    start={props.employee.probation_end_date ?? ''}
  />
);

/** Buttons for the usual lengths of an extension. */
function Spans({ onChoose }: { onChoose: (months: number) => void }) {
  const t = useTranslations('steps.extend');
  return (
    <Group gap={6} mt={8}>
      {spans.map((months) => (
        <Button key={months} variant="default" size="compact-sm" onClick={() => onChoose(months)}>
          {t('months', { months })}
        </Button>
      ))}
    </Group>
  );
}
