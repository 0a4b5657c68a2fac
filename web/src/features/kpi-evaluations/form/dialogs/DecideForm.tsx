import { Button, Textarea } from '@mantine/core';
import { evaluationSteps } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { DateField } from '../../../../ui/DateField.tsx';
import { DialogActions, DialogForm } from '../../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { Segments } from '../../../../ui/Segments.tsx';
import classes from './dialogs.module.css';
import { useStep, type StepProps } from './use-step.ts';

/** Grants more time up to a day, or refuses it. */
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
      <Textarea
        label={t('note')}
        rows={3}
        maxLength={5_000}
        value={note}
        error={errors['note']}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={step.isPending}>
          {t(decision === 'approved' ? 'confirm.approve' : 'confirm.reject')}
        </Button>
      </DialogActions>
    </DialogForm>
  );
}
