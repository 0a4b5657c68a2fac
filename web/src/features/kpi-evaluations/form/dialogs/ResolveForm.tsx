import { Stack, Textarea, TextInput } from '@mantine/core';
import { disputeResults, evaluationSteps, type EvaluationItem, type KpiEvaluation } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { DateField } from '../../../../ui/DateField.tsx';
import { DialogForm } from '../../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { Segments } from '../../../../ui/Segments.tsx';
import { useFigures } from '../figures.ts';
import { namedErrors, scoresOf } from '../values.ts';
import classes from './dialogs.module.css';
import { StepActions } from './StepActions.tsx';
import { useStep, type StepProps } from './use-step.ts';

type Result = (typeof disputeResults)[number];
type Change = { score: string; note: string };
type Changes = Readonly<Record<number, Change>>;

/** The score that counts until the dispute is resolved. */
const scoreBefore = ({ final_score: final, manager_score: manager }: EvaluationItem) => final ?? manager ?? null;

/** The items with a changed score. */
const changedItems = (items: readonly EvaluationItem[], changes: Changes) =>
  items.filter((item) => {
    const change = changes[item.id];
    return change !== undefined && change.score !== String(scoreBefore(item) ?? '');
  });

const finalScoreOf = ({ id }: EvaluationItem, change: Change | undefined) => ({
  id,
  final_score: Number(change?.score),
  final_note: change?.note.trim() || null,
});

/** Messages that their fields show. */
const isShown = (name: string) => ['resolution', 'until', 'result'].includes(name) || /^items\.\d+\./.test(name);

/** Resolves a dispute: the result stays, scores change, or the reviewer reviews again. */
export function ResolveForm({ evaluation, onDone, onClose }: StepProps) {
  const t = useTranslations('kpiEvaluationDialogs');
  const [result, setResult] = useState<Result>('maintained');
  const [resolution, setResolution] = useState('');
  const [until, setUntil] = useState('');
  const [changes, setChanges] = useState<Changes>({});
  const step = useStep(evaluationSteps.resolveDispute, onDone);
  const { id, revision, items, dispute_returned: returned } = evaluation;
  const sent = changedItems(items, changes);
  const errors = namedErrors(step.error?.fieldErrors ?? {}, sent);
  const submit = () =>
    step.submit({
      params: { id },
      body: {
        result,
        resolution: resolution.trim(),
        ...(result === 'returned' && { until: until || null }),
        ...(result === 'modified' && { items: sent.map((item) => finalScoreOf(item, changes[item.id])) }),
        revision,
      },
    });
  return (
    <DialogForm onSubmit={submit}>
      <ErrorNotice error={step.error} fields={Object.keys(step.error?.fieldErrors ?? {}).filter(isShown)} />
      <blockquote className={classes['quote']}>{evaluation.dispute_reason}</blockquote>
      <ResultChoice
        results={disputeResults.filter((one) => one !== 'returned' || !returned)}
        result={result}
        onChange={setResult}
      />
      {result === 'modified' && (
        <Scores evaluation={evaluation} changes={changes} onChange={setChanges} errors={errors} />
      )}
      {result === 'returned' && <ReturnUntil until={until} onChange={setUntil} error={errors['until']} />}
      <Resolution text={resolution} onChange={setResolution} error={errors['resolution']} />
      <StepActions confirm={t('confirm.resolve-dispute')} isPending={step.isPending} onClose={onClose} />
    </DialogForm>
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

type ResolutionProps = { text: string; onChange: (text: string) => void; error: string | undefined };

/** The reason for the resolution, which the employee sees. */
function Resolution({ text, onChange, error }: ResolutionProps) {
  const t = useTranslations('kpiEvaluationDialogs');
  return (
    <Textarea
      label={t('resolution')}
      description={t('resolutionHint')}
      rows={4}
      required
      maxLength={5_000}
      value={text}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

type UntilProps = { until: string; onChange: (until: string) => void; error: string | undefined };

/** The deadline for the second review. */
function ReturnUntil({ until, onChange, error }: UntilProps) {
  const t = useTranslations('kpiEvaluationDialogs');
  return (
    <DateField label={t('until')} description={t('untilReturn')} value={until} onChange={onChange} error={error} />
  );
}

type ScoresProps = {
  evaluation: KpiEvaluation;
  changes: Changes;
  onChange: (changes: Changes) => void;
  errors: Readonly<Record<string, string>>;
};

function Scores({ evaluation, changes, onChange, errors }: ScoresProps) {
  const t = useTranslations('kpiEvaluationDialogs');
  const { given } = useFigures();
  const counted = evaluation.items.filter((item) => !item.not_applicable);
  const scores = scoresOf(evaluation).map((score) => ({ value: String(score), label: given(score) }));
  return (
    <Stack gap={10}>
      {counted.map((item) => {
        const before = scoreBefore(item);
        const change = changes[item.id] ?? { score: String(before ?? ''), note: '' };
        const update = (patch: Partial<Change>) => onChange({ ...changes, [item.id]: { ...change, ...patch } });
        const isChanged = change.score !== String(before ?? '');
        return (
          <div key={item.id} className={classes['change']}>
            <Segments
              label={t('scoreOf', { item: item.name })}
              choices={scores}
              value={change.score}
              error={errors[`item.${item.id}.final_score`]}
              onChange={(score) => update({ score })}
            />
            {isChanged && (
              <TextInput
                label={t('why', { before: before === null ? '–' : given(before) })}
                required
                maxLength={5_000}
                value={change.note}
                error={errors[`item.${item.id}.final_note`]}
                onChange={(event) => update({ note: event.currentTarget.value })}
              />
            )}
          </div>
        );
      })}
    </Stack>
  );
}
