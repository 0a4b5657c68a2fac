import { Stack, TextInput } from '@mantine/core';
import { kpiEvidence, type EvaluationItem, type Evidence, type KpiEvaluation } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { load } from '../../../../api/query.ts';
import { Segments } from '../../../../ui/Segments.tsx';
import { EvidenceList } from '../reading/EvidenceList.tsx';
import { useFigures } from '../figures.ts';
import { scoresOf } from '../values.ts';
import classes from './dialogs.module.css';
import { newTotal } from './new-total.ts';
import { changeOf, isCorrected, scoreBefore, type Change, type Changes } from './resolve-changes.ts';

type Props = {
  evaluation: KpiEvaluation;
  changes: Changes;
  /** Absent while the scores stay as they are. */
  onChange: ((id: number, change: Partial<Change>) => void) | undefined;
  errors: Readonly<Record<string, string>>;
};

/** The subject of a dispute: the scores of both sides and the evidence of each item, with HR's changes. */
export function ResolveScores({ evaluation, ...props }: Props) {
  // an evaluation has at most fifty pieces
  const { data } = useQuery(
    load(kpiEvidence.list, { params: { id: evaluation.id }, query: { per_page: 50, sort_direction: 'asc' } }),
  );
  return (
    <Stack gap={10}>
      {evaluation.items.map((item) => (
        <Item
          key={item.id}
          {...props}
          evaluation={evaluation}
          item={item}
          evidence={(data?.data ?? []).filter(({ item_id }) => item_id === item.id)}
        />
      ))}
    </Stack>
  );
}

type ItemProps = Props & { item: EvaluationItem; evidence: readonly Evidence[] };

function Item({ evaluation, item, evidence, ...props }: ItemProps) {
  const t = useTranslations('kpiEvaluation');
  const { given, amount } = useFigures();
  const sides = (['self', 'manager'] as const).map((side) => {
    const score = item[`${side}_score`];
    const actual = item[`${side}_actual_value`];
    const isMeasured = typeof actual === 'number' && item.direction !== 'boolean';
    const value = isMeasured ? ` (${amount(actual, item.unit)})` : '';
    return `${t(side)}: ${typeof score === 'number' ? given(score) : '–'}${value}`;
  });
  return (
    <section className={classes['change']} aria-label={item.name}>
      <h3>
        <bdi>{item.name}</bdi>
      </h3>
      <p className="muted">{item.not_applicable ? t('notApplicable') : sides.join(' · ')}</p>
      <EvidenceList evidence={evidence} />
      {!item.not_applicable && <NewScore evaluation={evaluation} item={item} {...props} />}
    </section>
  );
}

function NewScore({ evaluation, item, changes, onChange, errors }: Omit<ItemProps, 'evidence'>) {
  const t = useTranslations('kpiEvaluationDialogs');
  const { given } = useFigures();
  if (!onChange) return null;
  const before = scoreBefore(item);
  const change = changeOf(item, changes);
  const choices = scoresOf(evaluation).map((score) => ({ value: String(score), label: given(score) }));
  const hasActual = isCorrected(item, changes);
  return (
    <>
      {item.item_type === 'measured' && (
        <TextInput
          label={t('actualOf', { item: item.name })}
          description={t(item.direction === 'boolean' ? 'actualYesNo' : 'actualHint')}
          inputMode="decimal"
          maxLength={24}
          value={change.actual}
          error={errors[`item.${item.id}.final_actual_value`]}
          onChange={(event) => onChange(item.id, { actual: event.currentTarget.value })}
        />
      )}
      {!hasActual && (
        <Segments
          label={t('scoreOf', { item: item.name })}
          choices={choices}
          value={change.score}
          error={errors[`item.${item.id}.final_score`]}
          onChange={(score) => onChange(item.id, { score })}
        />
      )}
      {(hasActual || change.score !== String(before ?? '')) && (
        <TextInput
          label={t('why', { before: before === null ? '–' : given(before) })}
          required
          maxLength={5_000}
          value={change.note}
          error={errors[`item.${item.id}.final_note`]}
          onChange={(event) => onChange(item.id, { note: event.currentTarget.value })}
        />
      )}
    </>
  );
}

/** The result before, and with the new scores. */
export function NewTotal({ evaluation, changes }: { evaluation: KpiEvaluation; changes: Changes }) {
  const t = useTranslations('kpiEvaluationDialogs');
  const { score, percent } = useFigures();
  if (evaluation.items.some((item) => isCorrected(item, changes))) return <output>{t('totalFollows')}</output>;
  const text = (one: { score: number; percentage: number } | null) =>
    one === null ? '–' : `${score(one.score)} (${percent(one.percentage)})`;
  const numberOf = (item: EvaluationItem | undefined) => {
    const typed = item && changeOf(item, changes).score;
    return typed ? Number(typed) : null;
  };
  const now = newTotal(evaluation, (id) => numberOf(evaluation.items.find((item) => item.id === id)));
  const { overall_score: before, overall_percentage: share } = evaluation;
  const was = typeof before === 'number' && typeof share === 'number' ? { score: before, percentage: share } : null;
  return <output className="numbers">{t('newTotal', { before: text(was), after: text(now) })}</output>;
}
