import type { EvaluationItem, Evidence, KpiEvaluation } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { LabelledText } from '../../../../ui/LabelledText.tsx';
import { useFigures } from '../figures.ts';
import { Goal } from '../Goal.tsx';
import { wordOf } from '../values.ts';
import { EvidenceList } from './EvidenceList.tsx';
import classes from './reading.module.css';

const allSides = ['self', 'manager', 'final'] as const;
type Side = (typeof allSides)[number];

type Props = { evaluation: KpiEvaluation; evidence: readonly Evidence[] };

/** All items with the scores that the reader may see, each followed by its comments and evidence. */
export function Scores({ evaluation, evidence }: Props) {
  const t = useTranslations('kpiEvaluation');
  const r = useTranslations('kpiEvaluationReading');
  const { items } = evaluation;
  const sides = allSides.filter((side) => items.some((item) => item[`${side}_score`] !== undefined));
  return (
    <section className={classes['part']}>
      <h2 id="reading-scores">{r('scores')}</h2>
      {sides.length === 0 && <p className="muted">{t('nothingHandedIn')}</p>}
      <table className={classes['table']} aria-labelledby="reading-scores">
        <thead>
          <tr>
            <th scope="col">{r('item')}</th>
            {sides.map((side) => (
              <th key={side} scope="col" data-side={side}>
                {side === 'final' ? r('final') : t(side)}
              </th>
            ))}
          </tr>
        </thead>
        {items.map((item) => (
          <Item
            key={item.id}
            evaluation={evaluation}
            item={item}
            sides={sides}
            evidence={evidence.filter(({ item_id }) => item_id === item.id)}
          />
        ))}
      </table>
    </section>
  );
}

type ItemProps = Props & { item: EvaluationItem; sides: readonly Side[] };

function Item({ evaluation, item, sides, evidence }: ItemProps) {
  const t = useTranslations('kpiEvaluation');
  const { weight } = useFigures();
  return (
    <tbody id={`item-${item.id}`}>
      <tr>
        <th scope="row">
          <bdi>{item.name}</bdi>
          <span className="muted">{t('weight', { weight: weight(item.weight) })}</span>
        </th>
        {sides.map((side) => (
          <Score key={side} evaluation={evaluation} item={item} side={side} />
        ))}
      </tr>
      <Said item={item} evidence={evidence} width={sides.length + 1} />
    </tbody>
  );
}

function Score({ evaluation, item, side }: { evaluation: KpiEvaluation; item: EvaluationItem; side: Side }) {
  const t = useTranslations('kpiEvaluation');
  const r = useTranslations('kpiEvaluationReading');
  const { given, amount, percent } = useFigures();
  const score = item[`${side}_score`];
  const { explain } = evaluation;
  const explained = (side === 'self' ? explain.self : explain.result)?.items.find(({ item_id }) => item_id === item.id);
  const actual = item[`${side}_actual_value`];
  // the result uses HR's correction, not the reviewer's score
  const isReplaced = side === 'manager' && typeof item.final_actual_value === 'number';
  return (
    <td data-side={side}>
      <span className={classes['side']}>{side === 'final' ? r('final') : t(side)}</span>
      {explained?.not_applicable ? (
        <span className="muted">{t('notApplicable')}</span>
      ) : (
        <>
          <strong className="numbers">{score === undefined || score === null ? '–' : given(score)}</strong>{' '}
          {wordOf(evaluation, score) && <bdi className="muted">{wordOf(evaluation, score)}</bdi>}
        </>
      )}
      {item.item_type === 'measured' && typeof actual === 'number' && !explained?.not_applicable && (
        <span className="muted numbers">
          {item.direction === 'boolean' ? t(actual === 1 ? 'yes' : 'no') : amount(actual, item.unit)}
        </span>
      )}
      {typeof actual === 'number' && !isReplaced && typeof explained?.achievement_pct === 'number' && (
        <span className="muted numbers">{t('achieved', { achievement: percent(explained.achievement_pct) })}</span>
      )}
    </td>
  );
}

function Said({ item, evidence, width }: { item: EvaluationItem; evidence: readonly Evidence[]; width: number }) {
  const r = useTranslations('kpiEvaluationReading');
  const w = useTranslations('kpiEvaluationWhole');
  const { description, self_comment: self, manager_comment: manager, final_note: note } = item;
  const isMeasured = item.item_type === 'measured';
  if (!isMeasured && !description && !self && !manager && !note && evidence.length === 0) return null;
  return (
    <tr className={classes['said']}>
      <td colSpan={width}>
        <div>
          {description && <p className={classes['description']}>{description}</p>}
          {isMeasured && <Goal item={item} />}
          {self && <LabelledText level="h3" label={w('field.self_comment')} text={self} />}
          {manager && <LabelledText level="h3" label={w('field.manager_comment')} text={manager} />}
          {note && <LabelledText level="h3" label={r('finalNote')} text={note} />}
          <EvidenceList evidence={evidence} />
        </div>
      </td>
    </tr>
  );
}
