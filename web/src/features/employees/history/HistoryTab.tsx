import { Button, Group } from '@mantine/core';
import { auditLog, type AuditEntry } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { load } from '../../../api/query.ts';
import { useAuditLabels } from '../../../ui/audit-labels.ts';
import { CardOf } from '../../../ui/CardOf.tsx';
import type { Column } from '../../../ui/DataTable.tsx';
import { asInstants } from '../../../ui/day-bounds.ts';
import { DayFilter } from '../../../ui/DayFilter.tsx';
import { Moment } from '../../../ui/Dates.tsx';
import { ListView } from '../../../ui/ListView.tsx';
import { Message } from '../../../ui/Message.tsx';
import { Pills } from '../../../ui/Pills.tsx';
import type { TabProps } from '../record/JobTab.tsx';
import { historyKinds, type HistoryKind } from '../search.ts';
import { ChangedValue, isEmpty } from './ChangedValue.tsx';
import { actionsOf } from './kinds.ts';
import { usePhone } from '../../../ui/use-phone.ts';
import { ChangedFields, Reason } from '../../../ui/AuditCells.tsx';

export type HistoryFilter = { kind?: HistoryKind | undefined; from?: string | undefined; to?: string | undefined };
type Props = TabProps & { filter: HistoryFilter; onFilter: (filter: HistoryFilter) => void };

/** The changes to the person and the views of the record, by user and time. */
export function HistoryTab({ id, page, onPage, filter, onFilter }: Props) {
  const t = useTranslations('profile');
  const columns = useColumns();
  const { kind, from, to } = filter;
  const asked = { ...(kind && { action: actionsOf(kind) }), ...asInstants(from, to) };
  const query = useQuery({
    ...load(auditLog.list, { query: { subject_type: 'employee', subject_id: id, page, ...asked } }),
    placeholderData: keepPreviousData,
  });
  const narrowed = kind !== undefined || from !== undefined || to !== undefined;
  return (
    <>
      <Filters filter={filter} onFilter={onFilter} />
      <ListView
        query={query}
        label={t('tabs.history')}
        columns={columns}
        card={(row) => <CardOf columns={columns} row={row} />}
        rowKey={(row) => row.id}
        onPage={onPage}
        empty={
          narrowed ? (
            <Message
              title={t('history.noMatch')}
              actions={
                <Button variant="default" onClick={() => onFilter({})}>
                  {t('history.clear')}
                </Button>
              }
            />
          ) : (
            <Message title={t('history.none')} />
          )
        }
      />
    </>
  );
}

function Filters({ filter, onFilter }: Pick<Props, 'filter' | 'onFilter'>) {
  const t = useTranslations('profile.history');
  const { kind, from = '', to = '' } = filter;
  const phone = usePhone();
  const change = (patch: HistoryFilter) => onFilter({ ...filter, ...patch });
  return (
    <Group align="end" gap="12px 20px" px="gutter" py={16}>
      <Pills
        label={t('kind')}
        options={(['all', ...historyKinds] as const).map((value) => ({ value, label: t(`kinds.${value}`) }))}
        value={kind ?? 'all'}
        onChange={(value) => change({ kind: value === 'all' ? undefined : value })}
      />
      <Group gap={12} wrap="nowrap" grow={phone} {...(phone && { w: '100%' })}>
        <DayFilter label={t('from')} value={from} max={to} onChange={(day) => change({ from: day })} />
        <DayFilter label={t('to')} value={to} min={from} onChange={(day) => change({ to: day })} />
      </Group>
    </Group>
  );
}

function useColumns(): Column<AuditEntry>[] {
  const t = useTranslations('profile.history');
  const labels = useAuditLabels();
  return [
    { id: 'action', header: t('action'), cell: (row) => labels.action(row.action) },
    { id: 'at', header: t('at'), cell: (row) => <Moment value={row.at} /> },
    { id: 'actor', header: t('actor'), cell: (row) => <Actor entry={row} /> },
    { id: 'changes', header: t('changes'), cell: (row) => <Changes entry={row} /> },
    { id: 'reason', header: t('reason'), cell: (row) => <Reason text={row.reason} /> },
  ];
}

function Actor({ entry: { actor } }: { entry: AuditEntry }) {
  const t = useTranslations('profile.history');
  return <bdi>{actor.user_id === null ? t('system') : actor.name}</bdi>;
}

function Changes({ entry: { changes, labels } }: { entry: AuditEntry }) {
  const t = useTranslations('profile.history');
  const auditLabels = useAuditLabels();
  const entries = Object.entries(changes).filter(([, { from, to }]) => !isEmpty(from) || !isEmpty(to));
  if (entries.length === 0) return <span className="muted">–</span>;
  return (
    <ChangedFields>
      {entries.map(([field, { from, to }]) => (
        <li key={field}>
          <span className="muted">{auditLabels.field(field)}:</span>{' '}
          {!isEmpty(from) && (
            <>
              <ChangedValue field={field} value={from} names={labels[field]} />
              <span aria-hidden> → </span>
              <span className="visually-hidden"> {t('became')} </span>
            </>
          )}
          <ChangedValue field={field} value={to} names={labels[field]} />
        </li>
      ))}
    </ChangedFields>
  );
}
