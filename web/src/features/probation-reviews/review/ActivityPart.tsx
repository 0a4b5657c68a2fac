import { probationReviews, type ProbationActivity } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { load } from '../../../api/query.ts';
import { CardOf } from '../../../ui/CardOf.tsx';
import type { Column } from '../../../ui/DataTable.tsx';
import { Moment } from '../../../ui/Dates.tsx';
import { ListView } from '../../../ui/ListView.tsx';
import { Message } from '../../../ui/Message.tsx';
import classes from '../../../ui/Panes.module.css';

type Props = { id: number; page: number | undefined; onPage: (page: number) => void };

const known = [
  'create',
  'submit',
  'recall',
  'send-back',
  'approve',
  'acknowledge',
  'cancel',
  'reviewer',
  'revert',
] as const;

/** Every step of a review: when, by whom, and why. */
export function ActivityPart({ id, page, onPage }: Props) {
  const t = useTranslations('probationActivity');
  const columns = useColumns();
  const query = useQuery({
    ...load(probationReviews.activity, { params: { id }, query: page === undefined ? {} : { page } }),
    placeholderData: keepPreviousData,
  });
  return (
    <ListView<ProbationActivity>
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

function useColumns(): Column<ProbationActivity>[] {
  const t = useTranslations('probationActivity');
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
        row.reason === null ? <span className="muted">–</span> : <span className={classes['words']}>{row.reason}</span>,
    },
  ];
}

function What({ row: { action, from, to } }: { row: ProbationActivity }) {
  const t = useTranslations('probationActivity');
  const states = useTranslations('probationStatus');
  const name = known.find((one) => one === action);
  return (
    <>
      <b>{name ? t(`did.${name}`) : action}</b>
      {from !== to && (
        <>
          <br />
          <span className="muted">
            {from === null ? states(to) : t('fromTo', { from: states(from), to: states(to) })}
          </span>
        </>
      )}
    </>
  );
}
