import { Textarea } from '@mantine/core';
import { evaluationSteps } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { DateField } from '../../../../ui/DateField.tsx';
import { DialogForm } from '../../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { Segments } from '../../../../ui/Segments.tsx';
import classes from './dialogs.module.css';
import { StepActions } from './StepActions.tsx';
import { useStep, type StepProps } from './use-step.ts';

/** The name of the person who asked for more time. */
export const askerOf = ({ extension, employee, reviewer }: StepProps['evaluation']): string =>
  extension?.step === 'manager_review' ? (reviewer?.name ?? '') : employee.name;

/** Grants an extension until a day, or refuses it. Over 40 lines: one form. */
export function DecideForm({ evaluation, texts, onDone, onClose }: StepProps) {
  const t = useTranslations('kpiEvaluationDialogs');
  const decision = texts.of('decision') === 'rejected' ? 'rejected' : 'approved';
  const [until, note] = [texts.of('until'), texts.of('note')];
  const step = useStep(evaluationSteps.decideExtension, onDone);
  const errors = step.error?.fieldErrors ?? {};
  const { id, revision, extension } = evaluation;
  const submit = () =>
    step.submit({
      params: { id },
      body: { decision, until: decision === 'approved' ? until || null : null, note: note.trim() || null, revision },
    });
  return (
    <DialogForm onSubmit={submit}>
      <ErrorNotice error={step.error} fields={['decision', 'until', 'note']} />
      <p>{t('text.extension-decision', { name: askerOf(evaluation), step: extension?.step ?? '' })}</p>
      <blockquote className={classes['quote']}>{extension?.reason}</blockquote>
      <Segments
        label={t('decision')}
        choices={(['approved', 'rejected'] as const).map((value) => ({ value, label: t(`decisions.${value}`) }))}
        value={decision}
        error={errors['decision']}
        onChange={(value) => texts.set('decision', value)}
      />
      {decision === 'approved' && (
        <DateField
          label={t('until')}
          value={until}
          onChange={(day) => texts.set('until', day)}
          error={errors['until']}
          required
        />
      )}
      <Note text={note} onChange={(text) => texts.set('note', text)} error={errors['note']} />
      <StepActions
        confirm={t(decision === 'approved' ? 'confirm.approve' : 'confirm.reject')}
        isPending={step.isPending}
        onClose={onClose}
      />
    </DialogForm>
  );
}

type NoteProps = { text: string; onChange: (text: string) => void; error: string | undefined };

function Note({ text, onChange, error }: NoteProps) {
  const t = useTranslations('kpiEvaluationDialogs');
  return (
    <Textarea
      label={t('note')}
      rows={3}
      maxLength={5_000}
      value={text}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
