import { Stack, Textarea } from '@mantine/core';
import { disputeResults, evaluationSteps, type EvaluationItem } from '@tenure/contract';
import { useState } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { DateField } from '../../../../ui/DateField.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { decimalSignOf, sentNumber, type DecimalSign } from '../../../../ui/numbers.ts';
import { namedErrors } from '../values.ts';
import classes from './dialogs.module.css';
import { changedItems, changeOf, isCorrected, type Change, type Changes } from './resolve-changes.ts';
import { NewTotal, ResolveScores } from './ResolveScores.tsx';
import { StepActions } from './StepActions.tsx';
import { useStep, type StepProps } from './use-step.ts';

type Result = (typeof disputeResults)[number];

/** Messages that are shown at their fields. */
const isShown = (name: string) => ['resolution', 'until', 'result'].includes(name) || /^items\.\d+\./.test(name);

/** The input about each item. */
function useChanges({ evaluation: { items }, texts }: Pick<StepProps, 'evaluation' | 'texts'>) {
  const changes: Changes = Object.fromEntries(
    items.map(({ id }) => [
      id,
      { score: texts.of(`score.${id}`), note: texts.of(`note.${id}`), actual: texts.of(`actual.${id}`) },
    ]),
  );
  const change = (id: number, { score, note, actual }: Partial<Change>) => {
    if (score !== undefined) texts.set(`score.${id}`, score);
    if (note !== undefined) texts.set(`note.${id}`, note);
    if (actual !== undefined) texts.set(`actual.${id}`, actual);
  };
  return { changes, change };
}

const finalScoreOf = (item: EvaluationItem, changes: Changes, sign: DecimalSign) => {
  const { score, note, actual } = changeOf(item, changes);
  const value = isCorrected(item, changes)
    ? // text that is not a number is sent unchanged, and the service refuses it
      { final_actual_value: sentNumber(actual, sign) as number }
    : { final_score: Number(score) };
  return { id: item.id, ...value, final_note: note.trim() || null };
};

/** HR's decision and its request; a changed score without a reason is not sent. */
function useResolution({ evaluation, texts, onDone }: Pick<StepProps, 'evaluation' | 'texts' | 'onDone'>) {
  const t = useTranslations('kpiEvaluationDialogs');
  const { changes, change } = useChanges({ evaluation, texts });
  const sign = decimalSignOf(useLocale());
  const [missing, setMissing] = useState<readonly number[]>([]);
  const step = useStep(evaluationSteps.resolveDispute, onDone);
  const { id, revision, items } = evaluation;
  const result = disputeResults.find((one) => one === texts.of('result')) ?? 'maintained';
  const sent = changedItems(items, changes);
  const isSilent = (item: EvaluationItem) => changeOf(item, changes).note.trim() === '';
  const unexplained = sent.filter((item) => missing.includes(item.id) && isSilent(item));
  const errors = {
    ...namedErrors(step.error?.fieldErrors ?? {}, sent),
    ...Object.fromEntries(unexplained.map((item) => [`item.${item.id}.final_note`, t('whyMissing')])),
  };
  const submit = () => {
    const silent = result === 'modified' ? sent.filter(isSilent) : [];
    setMissing(silent.map((item) => item.id));
    if (silent.length > 0) return;
    step.submit({
      params: { id },
      body: {
        result,
        resolution: texts.of('resolution').trim(),
        ...(result === 'returned' && { until: texts.of('until') || null }),
        ...(result === 'modified' && { items: sent.map((item) => finalScoreOf(item, changes, sign)) }),
        revision,
      },
    });
  };
  return { changes, change, result, errors, step, submit };
}

/** Resolves a dispute: the result stays, scores change, or the reviewer reviews again. */
export function ResolveForm({ evaluation, texts, onDone, onClose }: StepProps) {
  const t = useTranslations('kpiEvaluationDialogs');
  const { changes, change, result, errors, step, submit } = useResolution({ evaluation, texts, onDone });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack gap={14}>
        <blockquote className={classes['quote']}>{evaluation.dispute_reason}</blockquote>
        <ResultChoice
          results={disputeResults.filter((one) => one !== 'returned' || !evaluation.dispute_returned)}
          result={result}
          onChange={(one) => texts.set('result', one)}
        />
        {result === 'returned' && <ReturnUntil texts={texts} error={errors['until']} />}
        <ResolveScores
          evaluation={evaluation}
          changes={changes}
          onChange={result === 'modified' ? change : undefined}
          errors={errors}
        />
        <Resolution texts={texts} error={errors['resolution']} />
      </Stack>
      <div className={classes['foot']}>
        <ErrorNotice error={step.error} fields={Object.keys(step.error?.fieldErrors ?? {}).filter(isShown)} />
        {result === 'modified' && <NewTotal evaluation={evaluation} changes={changes} />}
        <StepActions confirm={t('confirm.resolve-dispute')} isPending={step.isPending} onClose={onClose} />
      </div>
    </form>
  );
}

type FieldProps = Pick<StepProps, 'texts'> & { error: string | undefined };

/** The deadline for the second review. */
function ReturnUntil({ texts, error }: FieldProps) {
  const t = useTranslations('kpiEvaluationDialogs');
  return (
    <DateField
      label={t('until')}
      description={t('untilReturn')}
      value={texts.of('until')}
      onChange={(day) => texts.set('until', day)}
      error={error}
    />
  );
}

/** The reason for the resolution, which the employee sees. */
function Resolution({ texts, error }: FieldProps) {
  const t = useTranslations('kpiEvaluationDialogs');
  return (
    <Textarea
      label={t('resolution')}
      description={t('resolutionHint')}
      rows={4}
      required
      maxLength={5_000}
      value={texts.of('resolution')}
      error={error}
      onChange={(event) => texts.set('resolution', event.currentTarget.value)}
    />
  );
}

type ResultProps = { results: readonly Result[]; result: Result; onChange: (result: Result) => void };

function ResultChoice({ results, result, onChange }: ResultProps) {
  const t = useTranslations('kpiEvaluationDialogs');
  return (
    <fieldset className={classes['choices']}>
      <legend>{t('result')}</legend>
      {results.map((one) => (
        <label key={one} className={classes['choice']}>
          <input type="radio" name="result" checked={one === result} onChange={() => onChange(one)} />
          <span>{t(`results.${one}`)}</span>
          <span className="muted">{t(`resultText.${one}`)}</span>
        </label>
      ))}
    </fieldset>
  );
}
