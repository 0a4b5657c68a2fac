import { Stack } from '@mantine/core';
import type { EvaluationItem, KpiEvaluation, ScoreExplanation } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { Dialog } from '../../../ui/Dialog.tsx';
import classes from './explain.module.css';
import { limitsOf, placeOf } from './bands.ts';
import { useFigures, useSideName } from './figures.ts';

type Props = { evaluation: KpiEvaluation; opened: boolean; onClose: () => void };

/** How the scores are computed, step by step, for each visible side. */
export function ExplainPart({ evaluation: { explain, items }, opened, onClose }: Props) {
  const t = useTranslations('kpiEvaluation');
  const e = useTranslations('kpiEvaluationExplain');
  const sides = [explain.result, explain.self].filter((side) => side !== undefined);
  return (
    <Dialog title={t('howItComes')} opened={opened} onClose={onClose} size="lg">
      <p className="muted">{e('explainLead')}</p>
      {sides.map((side) => (
        <Side key={side.side} side={side} items={items} />
      ))}
    </Dialog>
  );
}

function Side({ side, items }: { side: ScoreExplanation; items: readonly EvaluationItem[] }) {
  const t = useTranslations('kpiEvaluation');
  const e = useTranslations('kpiEvaluationExplain');
  const f = useFigures();
  const name = useSideName()(side);
  return (
    <section className={classes['side']}>
      <h3>{name}</h3>
      {!side.complete && <p className="muted">{t('soFar', { weight: f.weight(side.weight_counted) })}</p>}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region must be reachable by keyboard */}
      <section className={classes['scroll']} tabIndex={0} aria-label={name}>
        <table className={classes['table']}>
          <thead>
            <tr>
              <th scope="col">{e('item')}</th>
              <th scope="col">{e('reckoning')}</th>
              <th scope="col">{e('contribution')}</th>
            </tr>
          </thead>
          <tbody>
            {side.items.map((item) => (
              <ItemRow
                key={item.item_id}
                item={item}
                whole={items.find(({ id }) => id === item.item_id)}
                weightCounted={side.weight_counted}
              />
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{e('sum')}</th>
              <td className="numbers">{e('weightCounted', { weight: f.weight(side.weight_counted) })}</td>
              <td className="numbers">{side.sum === null ? '–' : f.score(side.sum)}</td>
            </tr>
          </tfoot>
        </table>
      </section>
      <Blend blend={side.blend} />
      <Outcome side={side} />
    </section>
  );
}

/** The resulting score of a side. */
function Outcome({ side }: { side: ScoreExplanation }) {
  const t = useTranslations('kpiEvaluation');
  const e = useTranslations('kpiEvaluationExplain');
  const f = useFigures();
  return (
    <Stack component="ul" gap={4}>
      {side.percentage !== null && side.score !== null && (
        <li>{e('percentageIs', { score: f.score(side.score), percentage: f.percent(side.percentage) })}</li>
      )}
      {side.band_is && <li>{e(`bandIs.${placeOf(side.band_is)}`, limitsOf(side.band_is, f.percent))}</li>}
      {side.suggested_flag !== null && <li>{t('suggested', { flag: t(`flag.${side.suggested_flag}`) })}</li>}
    </Stack>
  );
}

type ItemProps = {
  item: ScoreExplanation['items'][number];
  /** The item with its details, as the evaluation returns it. */
  whole: EvaluationItem | undefined;
  weightCounted: number;
};

/** The contribution of an item and its computation. */
function ItemRow({ item, whole, weightCounted }: ItemProps) {
  const t = useTranslations('kpiEvaluation');
  const e = useTranslations('kpiEvaluationExplain');
  const f = useFigures();
  const { proration } = item;
  const { unit = null, target_value: target = null } = whole ?? {};
  return (
    <tr>
      <th scope="row">
        <bdi>{item.name}</bdi>
        {item.achievement_pct !== null && (
          <span className={classes['sub']}>{t('achieved', { achievement: f.percent(item.achievement_pct) })}</span>
        )}
        {proration && (
          <span className={classes['sub']}>
            {e('proratedIs', {
              target: f.amount(proration.target_value, unit),
              full: f.amount(target ?? 0, unit),
              days: proration.employed_days,
              all: proration.cycle_days,
            })}
          </span>
        )}
      </th>
      <td>
        {item.not_applicable ? (
          <span className="muted">{t('notApplicable')}</span>
        ) : item.score === null ? (
          <span className="muted">{e('notScored')}</span>
        ) : (
          <bdi className="numbers">
            {`${f.given(item.weight)} × ${f.given(item.score)} / ${f.given(weightCounted)}`}
          </bdi>
        )}
      </td>
      <td className="numbers">{item.contribution === null ? '–' : f.score(item.contribution)}</td>
    </tr>
  );
}

function Blend({ blend }: Pick<ScoreExplanation, 'blend'>) {
  const e = useTranslations('kpiEvaluationExplain');
  const f = useFigures();
  if (!blend) return null;
  const part = (score: number | null, share: number, contribution: number) =>
    `${score === null ? '–' : f.score(score)} × ${f.weight(share)} = ${f.score(contribution)}`;
  return (
    <dl className={classes['blend']}>
      <div>
        <dt>{e('blendManager')}</dt>
        <dd className="numbers">{part(blend.manager_score, blend.manager_weight_pct, blend.manager_contribution)}</dd>
      </div>
      <div>
        <dt>{e('blendSelf')}</dt>
        <dd className="numbers">{part(blend.self_score, blend.self_weight_pct, blend.self_contribution)}</dd>
      </div>
      <div>
        <dt>{e('blendResult')}</dt>
        <dd className="numbers">{blend.score === null ? '–' : f.score(blend.score)}</dd>
      </div>
    </dl>
  );
}
