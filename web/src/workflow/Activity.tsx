import { Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../api/api-error.ts';
import { CardOf } from '../ui/CardOf.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { Moment } from '../ui/Dates.tsx';
import { ListView } from '../ui/ListView.tsx';
import { Message } from '../ui/Message.tsx';
import type { PageMeta } from '../ui/Pager.tsx';
import classes from '../ui/Panes.module.css';

/** One step in the history of a record. */
type Entry<Status extends string> = {
  id: number;
  at: string;
  actor: { user_id: number | null; name: string };
  acting_for: string | null;
  round: number;
  reason: string | null;
  from: Status | null;
  to: Status;
};

type Props<Row extends Entry<string>> = {
  query: UseQueryResult<{ data: Row[]; meta: PageMeta }, ApiError>;
  /** The action as text. */
  did: (row: Row) => string;
  /** The label of a status. */
  state: (status: Row['to']) => string;
  /** Additional content of a step. */
  extra?: (row: Row) => ReactNode;
  onPage: (page: number) => void;
};

/** The history of a record: time, actor, reason and any result that was dropped. */
export function Activity<Row extends Entry<string>>({ query, did, state, extra, onPage }: Props<Row>) {
  const t = useTranslations('workflow');
  const moved = ({ from, to }: Row) => {
    if (from === to) return null;
    return from === null ? state(to) : t('fromTo', { from: state(from), to: state(to) });
  };
  const actorOf = ({ actor, acting_for }: Row) => {
    if (actor.user_id === null) return t('system');
    return acting_for ? t('actingFor', { name: actor.name, absent: acting_for }) : actor.name;
  };
  const columns: Column<Row>[] = [
    {
      id: 'action',
      header: t('what'),
      cell: (row) => (
        <Stack gap={2}>
          <b>{did(row)}</b>
          {moved(row) !== null && <span className="muted">{moved(row)}</span>}
          {extra?.(row)}
        </Stack>
      ),
    },
    { id: 'by', header: t('by'), cell: (row) => <bdi>{actorOf(row)}</bdi> },
    { id: 'at', header: t('at'), cell: (row) => <Moment value={row.at} /> },
    { id: 'round', header: t('round'), cell: (row) => <bdi className="numbers">{row.round}</bdi> },
    { id: 'reason', header: t('why'), cell: ({ reason }) => <Reason text={reason} /> },
  ];
  return (
    <ListView<Row>
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

const Reason = ({ text }: { text: string | null }) =>
  text === null ? <span className="muted">–</span> : <span className={classes['words']}>{text}</span>;
