import { Checkbox, Textarea } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { DateField } from '../../../ui/DateField.tsx';
import { PersonPicker } from '../../../ui/PersonPicker.tsx';
import type { BulkKind, Choice } from './kinds.ts';

type Props = {
  kind: BulkKind;
  choice: Choice;
  onChange: (choice: Choice) => void;
  errors: Readonly<Record<string, string>>;
};
type FieldProps = Pick<Props, 'choice' | 'errors'> & { set: (patch: Partial<Choice>) => void };

/** The input of a step for many evaluations. */
export function BulkFields({ kind, choice, onChange, errors }: Props) {
  const t = useTranslations('kpiEvaluationBulk');
  const set = (patch: Partial<Choice>) => onChange({ ...choice, ...patch });
  const props = { choice, set, errors };
  switch (kind) {
    case 'hr-review':
      return <Comment {...props} />;
    case 'extend':
      return (
        <>
          <DateField
            label={t('until')}
            value={choice.until}
            onChange={(until) => set({ until })}
            error={errors['until']}
            required
          />
          <Reason {...props} />
        </>
      );
    case 'reviewer':
      return <Reviewer {...props} />;
    case 'deem-accepted':
    case 'cancel':
      return <Reason {...props} required />;
    default:
      return null;
  }
}

function Comment({ choice, set, errors }: FieldProps) {
  const t = useTranslations('kpiEvaluationBulk');
  return (
    <Textarea
      label={t('comment')}
      description={t('commentHint')}
      rows={4}
      maxLength={5_000}
      value={choice.comment}
      error={errors['hr_comment']}
      onChange={(event) => set({ comment: event.currentTarget.value })}
      data-autofocus
    />
  );
}

function Reviewer(props: FieldProps) {
  const t = useTranslations('kpiEvaluationBulk');
  const { choice, set, errors } = props;
  return (
    <>
      <Checkbox
        label={t('toManager')}
        checked={choice.toManager}
        onChange={(event) => set({ toManager: event.currentTarget.checked })}
      />
      {!choice.toManager && (
        <PersonPicker
          label={t('reviewer')}
          value={choice.reviewer}
          onChange={(reviewer) => set({ reviewer })}
          error={errors['reviewer_id']}
          required
        />
      )}
      <Reason {...props} />
    </>
  );
}

function Reason({ choice, set, errors, required = false }: FieldProps & { required?: boolean }) {
  const t = useTranslations('kpiEvaluationBulk');
  return (
    <Textarea
      label={t(required ? 'reason' : 'reasonMaybe')}
      description={t('reasonHint')}
      required={required}
      rows={3}
      maxLength={500}
      value={choice.reason}
      error={errors['reason']}
      onChange={(event) => set({ reason: event.currentTarget.value })}
    />
  );
}
