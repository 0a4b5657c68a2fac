import { auditLog, type AuditEntry } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { load } from '../../../api/query.ts';
import type { Column } from '../../../ui/DataTable.tsx';
import { useAuditWords } from '../../../ui/audit-words.ts';
import { Moment } from '../../../ui/Dates.tsx';
import { CardOf } from '../../../ui/CardOf.tsx';
import { ListView } from '../../../ui/ListView.tsx';
import { Message } from '../../../ui/Message.tsx';
import type { TabProps } from './JobTab.tsx';
import classes from './profile.module.css';

/** Who changed what about the person, and when. */
export function AuditTab({ id, page, onPage }: TabProps) {
  const t = useTranslations('profile');
  const columns = useColumns();
  const query = useQuery({
    ...load(auditLog.list, { query: { subject_type: 'employee', subject_id: id, page } }),
    placeholderData: keepPreviousData,
  });
  return (
    <ListView
      query={query}
      label={t('tabs.history')}
      columns={columns}
      card={(row) => <CardOf columns={columns} row={row} />}
      rowKey={(row) => row.id}
      onPage={onPage}
      empty={<Message title={t('history.none')} />}
    />
  );
}

function useColumns(): Column<AuditEntry>[] {
  const t = useTranslations('profile.history');
  const words = useAuditWords();
  return [
    { id: 'at', header: t('at'), cell: (row) => <Moment value={row.at} /> },
    { id: 'actor', header: t('actor'), cell: (row) => row.actor.name },
    { id: 'action', header: t('action'), cell: (row) => words.action(row.action) },
    { id: 'changes', header: t('changes'), cell: (row) => <Changes changes={row.changes} /> },
    { id: 'reason', header: t('reason'), cell: (row) => row.reason ?? '–' },
  ];
}

function Changes({ changes }: Pick<AuditEntry, 'changes'>) {
  const t = useTranslations('profile.history');
  const words = useAuditWords();
  const entries = Object.entries(changes);
  if (entries.length === 0) return '–';
  return (
    <ul className={classes['changes']}>
      {entries.map(([field, { from, to }]) => (
        <li key={field}>
          <span className="muted">{words.field(field)}:</span>{' '}
          <bdi>{isEmpty(from) ? shown(to) : t('change', { from: shown(from), to: shown(to) })}</bdi>
        </li>
      ))}
    </ul>
  );
}

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === '';

function shown(value: unknown): string {
  if (isEmpty(value)) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
