import { useTranslations } from 'use-intl';
import { readNumber } from '../../../ui/numbers.ts';
import { BandFields } from '../BandFields.tsx';
import { dateNames } from '../fields.ts';
import { CapFields, FixedFields, WindowFields } from '../RuleFields.tsx';
import { Timeline } from '../Timeline.tsx';
import type { CycleForm } from '../use-cycle-form.ts';
import { FormStep } from './FormStep.tsx';
import type { StepProps } from './steps.ts';

/** The step with the windows and scoring rules. */
export function DatesStep({ cycle, onBack, onNext, onLater }: StepProps) {
  const t = useTranslations('kpiCycles');
  const dates = ({ form: { values }, sign }: CycleForm) => {
    const day = (name: string) => values[name] || null;
    return {
      start_date: cycle.start_date,
      end_date: cycle.end_date,
      self_assessment_opens_on: day('self_assessment_opens_on'),
      self_assessment_closes_on: day('self_assessment_closes_on'),
      manager_review_opens_on: day('manager_review_opens_on'),
      manager_review_closes_on: day('manager_review_closes_on'),
      acceptance_days: readNumber(values['acceptance_days'] ?? '', sign) ?? 0,
    };
  };
  return (
    <FormStep
      cycle={cycle}
      names={dateNames}
      title={t('steps.dates')}
      onBack={onBack}
      onSaved={(_saved, isLater) => (isLater ? onLater() : onNext())}
    >
      {(record) => (
        <>
          <Timeline dates={dates(record)} />
          <WindowFields record={record} />
          <FixedFields record={record} />
          <BandFields record={record} />
          <CapFields record={record} />
        </>
      )}
    </FormStep>
  );
}
