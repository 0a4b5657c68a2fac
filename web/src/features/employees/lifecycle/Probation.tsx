import { Button, Group } from '@mantine/core';
import { employees } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { DateField } from '../../../ui/DateField.tsx';
import { Day } from '../../../ui/Dates.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import { monthsLater, today } from '../../../ui/time-served.ts';
import { Reason, StepDialog } from './StepDialog.tsx';
import { useStep } from './use-step.ts';
import type { StepProps } from './WithReason.tsx';

/** Confirms a successful probation. */
export function Confirm({ employee, onClose }: StepProps) {
  const t = useTranslations('steps');
  const toast = useToast();
  const state = useStep('confirm', employees.confirm, employee, { confirmation_date: today() });
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
      <DateField label={t('confirm.day')} required max={today()} {...state.field('confirmation_date')} />
      <Reason {...state.field('reason')} />
    </StepDialog>
  );
}

const spans = [1, 3, 6] as const;

/** Extends the probation. */
export function Extend({ employee, onClose }: StepProps) {
  const t = useTranslations('steps');
  const toast = useToast();
  const { probation_end_date: end } = employee;
  const state = useStep('extend', employees.update, employee, { probation_end_date: monthsLater(end ?? today(), 3) });
  const name = employee.display_name;
  return (
    <StepDialog
      title={t('extend.title', { name })}
      consequences={[
        end ? (
          <>
            {t('extend.endsNow')} <Day value={end} />
          </>
        ) : (
          t('extend.noEnd')
        ),
      ]}
      action={t('extend.action')}
      error={state.error}
      fields={['probation_end_date']}
      isPending={state.isPending}
      onClose={onClose}
      onSubmit={() =>
        state.send({ probation_end_date: state.text('probation_end_date') }, () => {
          toast({ text: t('extend.done', { name }) });
          onClose();
        })
      }
    >
      <div>
        <DateField label={t('extend.day')} required min={end ?? today()} {...state.field('probation_end_date')} />
        <Spans onChoose={(months) => state.set('probation_end_date', monthsLater(end ?? today(), months))} />
      </div>
    </StepDialog>
  );
}

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
