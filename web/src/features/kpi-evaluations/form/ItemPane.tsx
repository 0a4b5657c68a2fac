import type { EvaluationItem, KpiEvaluation } from '@tenure/contract';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { EvidencePart } from './evidence/lazy.ts';
import { Answer, ItemComment, type Form } from './fields.tsx';
import { useFigures } from './figures.ts';
import { Goal } from './Goal.tsx';
import { wordOf } from './values.ts';
import { ScaleWords } from '../../../ui/ScaleWords.tsx';
import classes from '../../../ui/Panes.module.css';
import type { ScoringSide } from './values.ts';

type Props = { evaluation: KpiEvaluation; item: EvaluationItem; form: Form | undefined; isFresh: boolean };

/** An item: the question, each side's answer and its evidence. */
export function ItemPane({ evaluation, item, form, isFresh }: Props) {
  const t = useTranslations('kpiEvaluation');
  const { weight } = useFigures();
  const sides = (['self', 'manager'] as const).filter(
    (side) => form?.side === side || item[`${side}_comment`] !== undefined,
  );
  return (
    <article className={classes['pane']}>
      <header className={classes['head']}>
        <h2 tabIndex={-1} id="shown-item">
          <bdi>{item.name}</bdi>
        </h2>
        <p className="muted">
          {t('weight', { weight: weight(item.weight) })} · {t(`type.${item.item_type}`)}
          {item.evidence_required && ` · ${t('evidenceDemanded')}`}
        </p>
        {item.description !== null && <p className={classes['description']}>{item.description}</p>}
      </header>
      {item.item_type === 'measured' && <Goal item={item} />}
      {sides.length === 0 && <p className="muted">{t('nothingHandedIn')}</p>}
      <div className={classes['sides']}>
        {sides.map((side) => (
          <SidePane key={side} evaluation={evaluation} item={item} side={side} form={form} isFresh={isFresh} />
        ))}
      </div>
      <FinalScore item={item} />
      <Suspense>
        <EvidencePart
          evaluationId={evaluation.id}
          itemId={item.id}
          mayAdd={form !== undefined}
          isRequired={item.evidence_required && form?.side === 'self'}
        />
      </Suspense>
    </article>
  );
}

/** One side's answer to an item: a form if it is the user's turn, else read-only. */
function SidePane({ form, isFresh, ...props }: SideProps & Pick<Props, 'form' | 'isFresh'>) {
  const t = useTranslations('kpiEvaluation');
  const { evaluation, item, side } = props;
  return (
    <section className={classes['side']} data-written={form?.side === side || undefined}>
      <h3>{side === 'self' ? t('self') : t('manager')}</h3>
      {form?.side === side ? (
        <ItemComment form={form} item={item}>
          <Answer form={form} item={item} evaluation={evaluation} />
          {item.item_type === 'rating' && evaluation.scale_words && (
            <ScaleWords label={t('scaleWords')} from={evaluation.scale_min} words={evaluation.scale_words} />
          )}
          <Computed {...props} isFresh={isFresh} />
        </ItemComment>
      ) : (
        <SubmittedAnswer {...props} />
      )}
    </section>
  );
}

type SideProps = { evaluation: KpiEvaluation; item: EvaluationItem; side: ScoringSide };

const explained = ({ evaluation: { explain }, item, side }: SideProps) =>
  (side === 'self' ? explain.self : explain.result)?.items.find(({ item_id }) => item_id === item.id);

/** The achievement and score that the service computed. */
function Computed({ isFresh, ...props }: SideProps & { isFresh: boolean }) {
  const t = useTranslations('kpiEvaluation');
  const { percent, given } = useFigures();
  if (props.item.item_type !== 'measured') return null;
  const found = explained(props);
  const { achievement_pct: achievement = null, score = null } = found ?? {};
  return (
    <output className={classes['computed']} data-stale={!isFresh || undefined}>
      {achievement === null || score === null
        ? t('computedLater')
        : t('computed', { achievement: percent(achievement), score: given(score) })}
    </output>
  );
}

/** The submitted answer of one side. */
function SubmittedAnswer(props: SideProps) {
  const { item, side } = props;
  const t = useTranslations('kpiEvaluation');
  const { given, amount, percent } = useFigures();
  const [score, actual, comment] = [item[`${side}_score`], item[`${side}_actual_value`], item[`${side}_comment`]];
  const found = explained(props);
  const excepted = found?.not_applicable === true;
  return (
    <>
      {excepted ? (
        <StatusBadge tone="quiet" label={t('notApplicable')} />
      ) : (
        <p className={classes['score']}>
          <span className="muted">{t('score')}</span>
          <bdi className="numbers">{score === undefined || score === null ? '–' : given(score)}</bdi>
          <bdi>{wordOf(props.evaluation, score)}</bdi>
        </p>
      )}
      {item.item_type === 'measured' && !excepted && typeof actual === 'number' && (
        <>
          <p>
            {t('actual')}:{' '}
            <bdi className="numbers">
              {item.direction === 'boolean' ? t(actual === 1 ? 'yes' : 'no') : amount(actual, item.unit)}
            </bdi>
          </p>
          {found && found.achievement_pct !== null && (
            <p className={classes['computed']}>{t('achieved', { achievement: percent(found.achievement_pct) })}</p>
          )}
        </>
      )}
      {comment ? <p className={classes['words']}>{comment}</p> : <p className="muted">{t('noComment')}</p>}
    </>
  );
}

/** The final score of an item, if a dispute changed it. */
function FinalScore({ item }: { item: EvaluationItem }) {
  const t = useTranslations('kpiEvaluation');
  const { given } = useFigures();
  const { final_score: score, final_note: note } = item;
  if (typeof score !== 'number' || (score === item.manager_score && !note)) return null;
  return (
    <section className={classes['final']}>
      <h3>{t('finalScore', { score: given(score) })}</h3>
      {note && <p className={classes['words']}>{note}</p>}
    </section>
  );
}
