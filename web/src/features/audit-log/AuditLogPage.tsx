import { Button, Text } from '@mantine/core';
import { auditLog } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { CardOf } from '../../ui/CardOf.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { ExportMenu } from '../../ui/ExportMenu.tsx';
import { ListView } from '../../ui/ListView.tsx';
import { Message } from '../../ui/Message.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { asInstants } from '../../ui/day-bounds.ts';
import { useDayText } from '../../ui/use-day-text.ts';
import { AuditFilters } from './AuditFilters.tsx';
import { useAuditColumns } from './columns.tsx';
import { auditFilters, type AuditLogSearch, type Change } from './search.ts';

const route = getRouteApi('/shell/audit-log');

const noFilters: Change = Object.fromEntries(auditFilters.map((name) => [name, undefined]));

/** The audit log, latest entries first. */
export function AuditLogPage() {
  const t = useTranslations('auditLog');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (patch: Change) =>
    void navigate({
      search: (old) => ({ ...old, page: undefined, ...patch }) as AuditLogSearch,
      replace: 'search' in patch,
    });
  const { at_from, at_to, ...rest } = search;
  const asked = { ...rest, ...asInstants(at_from, at_to) };
  const query = useQuery({ ...load(auditLog.list, { query: asked }), placeholderData: keepPreviousData });
  const columns = useAuditColumns(change);
  if (query.error?.status === 403) return <ErrorState page error={query.error} onRetry={() => void query.refetch()} />;
  const total = query.data?.meta.total;
  const { page: _page, per_page: _size, ...filters } = asked;
  const narrowed = auditFilters.some((name) => name in search);
  return (
    <>
      <PageHeader title={t('title')} lead={total === undefined ? '' : t('count', { count: total })}>
        <ExportMenu endpoint={auditLog.export} label={t('export')} query={filters} readable />
      </PageHeader>
      <AuditFilters search={search} entries={query.data?.data ?? []} onChange={change} />
      <ListView
        query={query}
        label={t('title')}
        columns={columns}
        rowKey={(row) => row.id}
        card={(row) => <CardOf columns={columns} row={row} />}
        sort={{ by: search.sort_by ?? 'at', direction: search.sort_direction ?? (search.sort_by ? 'asc' : 'desc') }}
        onSort={({ by, direction }) => change({ sort_by: by as AuditLogSearch['sort_by'], sort_direction: direction })}
        onPage={(page) => change({ page })}
        onSize={(size) => change({ per_page: size })}
        empty={<EmptyState narrowed={narrowed} onClear={() => change(noFilters)} />}
      />
      <Archived />
    </>
  );
}

/** Shows from which day on the log has entries, if older ones are in an archive. */
function Archived() {
  const t = useTranslations('auditLog');
  const dayText = useDayText();
  const { data } = useQuery({ ...load(auditLog.archived, {}), select: (reply) => reply.data.before });
  if (!data) return null;
  const day = dayText(data);
  return (
    <Text className="muted" size="sm" px="gutter" py={12}>
      {t('archivedBefore', { day })}
    </Text>
  );
}

function EmptyState({ narrowed, onClear }: { narrowed: boolean; onClear: () => void }) {
  const t = useTranslations('auditLog');
  if (!narrowed) return <Message title={t('none')}>{t('noneText')}</Message>;
  const clear = (
    <Button variant="default" onClick={onClear}>
      {t('clear')}
    </Button>
  );
  return (
    <Message title={t('noResult')} actions={clear}>
      {t('noResultText')}
    </Message>
  );
}
