import { kpiEvaluations, type EvaluationActivity } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { load } from '../../../../api/query.ts';
import { CardOf } from '../../../../ui/CardOf.tsx';
import type { Column } from '../../../../ui/DataTable.tsx';
import { Moment } from '../../../../ui/Dates.tsx';
import { ListView } from '../../../../ui/ListView.tsx';
import { Message } from '../../../../ui/Message.tsx';
import panes from '../../../../ui/Panes.module.css';
import { useFigures } from '../figures.ts';
import classes from './activity.module.css';

type Props = { id: number; page: number | undefined; onPage: (page: number) => void };

const known = [
  'publish',
  'self-assessment',
  'extension-request',
  'extension-decision',
  'skip-self-assessment',
  'reviewer',
  'manager-review',
  'return',
  'hr-review',
  'accept',
  'dispute',
  'deem-accepted',
  'resolve-dispute',
  'close',
  'force-close',
  'cancel',
  'restore',
  'reopen',
] as const;

/** Every step of an evaluation: when, by whom, why, and the result that was given up by it. */
export function ActivityPart({ id, page, onPage }: Props) {
  const t = useTranslations('kpiEvaluationActivity');
  const columns = useColumns();
  const query = useQuery({
    ...load(kpiEvaluations.activity, { params: { id }, query: page === undefined ? {} : { page } }),
    placeholderData: keepPreviousData,
  });
  return (
    <ListView<EvaluationActivity>
      query={query}
      label={t('title')}
      columns={columns}
      rowKey={(row) => row.id}
      card={(row) => <CardOf columns={columns} row={row} />}
      onPage={onPage}
      empty={<Message title={t('none')}>{t('noneText')}</Message>}
    />
  );
}

function useColumns(): Column<EvaluationActivity>[] {
  const t = useTranslations('kpiEvaluationActivity');
  return [
    { id: 'action', header: t('what'), cell: (row) => <What row={row} /> },
    {
      id: 'by',
      header: t('by'),
      cell: (row) => <bdi>{row.actor.user_id === null ? t('system') : row.actor.name}</bdi>,
    },
    { id: 'at', header: t('at'), cell: (row) => <Moment value={row.at} /> },
    { id: 'round', header: t('round'), cell: (row) => <bdi className="numbers">{row.round}</bdi> },
    {
      id: 'reason',
      header: t('why'),
      cell: (row) =>
        row.reason === null ? <span className="muted">–</span> : <span className={panes['words']}>{row.reason}</span>,
    },
  ];
}

function What({ row: { action, from, to, snapshot } }: { row: EvaluationActivity }) {
  const t = useTranslations('kpiEvaluationActivity');
  const states = useTranslations('evaluationStatus');
  const name = known.find((one) => one === action);
  return (
    <div className={classes['what']}>
      <b>{name ? t(`did.${name}`) : action}</b>
      {from !== to && (
        <span className="muted">
          {from === null ? states(to) : t('fromTo', { from: states(from), to: states(to) })}
        </span>
      )}
      {snapshot && <Snapshot snapshot={snapshot} />}
    </div>
  );
}

function Snapshot({ snapshot }: { snapshot: NonNullable<EvaluationActivity['snapshot']> }) {
  const t = useTranslations('kpiEvaluationActivity');
  const { score, percent, given } = useFigures();
  const { overall_score: overall, overall_percentage: percentage, self_overall_score: self, items } = snapshot;
  return (
    <details>
      <summary>{t('givenUp')}</summary>
      <dl className={classes['snapshot']}>
        {overall !== null && (
          <div>
            <dt>{t('result')}</dt>
            <dd className="numbers">
              {[score(overall), percentage !== null && percent(percentage)].filter(Boolean).join(' · ')}
            </dd>
          </div>
        )}
        {self !== null && (
          <div>
            <dt>{t('self')}</dt>
            <dd className="numbers">{score(self)}</dd>
          </div>
        )}
        {items.map((item) => {
          const shown = item.final_score ?? item.manager_score;
          return (
            <div key={item.id}>
              <dt>
                <bdi>{item.name}</bdi>
              </dt>
              <dd className="numbers">{shown === null ? '–' : given(shown)}</dd>
            </div>
          );
        })}
      </dl>
    </details>
  );
}
