import { Textarea } from '@mantine/core';
import { evaluationSteps } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { DateField } from '../../../../ui/DateField.tsx';
import { DialogForm } from '../../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { Segments } from '../../../../ui/Segments.tsx';
import classes from './dialogs.module.css';
import { StepActions } from './StepActions.tsx';
import { useStep, type StepProps } from './use-step.ts';

/** Grants an extension until a day, or refuses it. */
export function DecideForm({ evaluation, onDone, onClose }: StepProps) {
  const t = useTranslations('kpiEvaluationDialogs');
  const [decision, setDecision] = useState<'approved' | 'rejected'>('approved');
  const [until, setUntil] = useState('');
  const [note, setNote] = useState('');
  const step = useStep(evaluationSteps.decideExtension, onDone);
  const errors = step.error?.fieldErrors ?? {};
  const { id, revision, extension, employee } = evaluation;
  const submit = () =>
    step.submit({
      params: { id },
      body: { decision, until: decision === 'approved' ? until || null : null, note: note.trim() || null, revision },
    });
  return (
    <DialogForm onSubmit={submit}>
      <ErrorNotice error={step.error} fields={['decision', 'until', 'note']} />
      <p>{t('text.extension-decision', { name: employee.name })}</p>
      <blockquote className={classes['quote']}>{extension?.reason}</blockquote>
      <Segments
        label={t('decision')}
        choices={(['approved', 'rejected'] as const).map((value) => ({ value, label: t(`decisions.${value}`) }))}
        value={decision}
        error={errors['decision']}
        onChange={(value) => setDecision(value as 'approved')}
      />
      {decision === 'approved' && (
        <DateField label={t('until')} value={until} onChange={setUntil} error={errors['until']} required />
      )}
      <Note text={note} onChange={setNote} error={errors['note']} />
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
