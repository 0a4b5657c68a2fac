import { Box, Button, Group, Title } from '@mantine/core';
import { absences, type Absence, type Employee } from '@tenure/contract';
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { hasStatus, type ApiError } from '../../../api/api-error.ts';
import { failedWithoutData, load } from '../../../api/query.ts';
import { useDeferred } from '../../../ui/deferred.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { Pager } from '../../../ui/Pager.tsx';
import { AbsenceEntry, deletionOf } from './AbsenceEntry.tsx';

const AbsenceDialog = lazyPart(() => import('./AbsenceDialog.tsx'), 'AbsenceDialog', 'steps');
const EndDialog = lazyPart(() => import('./EndDialog.tsx'), 'EndDialog', 'steps');

type Open = { what: 'change' | 'end'; row: Absence } | { what: 'record' };
type Props = { employee: Employee; onPause: () => void };

/** Planned, current and past absences of a person; renders nothing if there are none and none can be recorded. */
export function Absences({ employee, onPause }: Props) {
  const t = useTranslations('absences');
  const [page, setPage] = useState(1);
  const [reveal, setReveal] = useState(false);
  const [open, setOpen] = useState<Open>();
  const may = employee.allowed_actions.includes('absences');
  const query = useQuery({
    ...load(absences.list, {
      params: { id: employee.id },
      query: { page, per_page: 5, ...(reveal && { reveal: 'private' as const }) },
    }),
    placeholderData: keepPreviousData,
    // a refetch would be recorded as another view
    ...(reveal && { gcTime: 0, refetchOnWindowFocus: false, refetchOnReconnect: false }),
  });
  const gone = useDeferred();
  if (query.isPending) return null;
  // the user may not see them
  if (hasStatus(query.error, 403) || hasStatus(query.error, 404)) return null;
  if (failedWithoutData(query)) return <Failed query={query} />;
  const { meta } = query.data;
  const rows = query.data.data.filter((row) => !gone.has(deletionOf(row)));
  if (rows.length === 0 && !may) return null;
  return (
    <Box component="section" aria-label={t('title')} mb={8}>
      <Heading
        mayReveal={rows.length > 0 && employee.private_details !== undefined}
        reveal={reveal}
        onReveal={setReveal}
        onRecord={may ? () => setOpen({ what: 'record' }) : undefined}
      />
      <PauseOffer employee={employee} rows={rows} onPause={onPause} />
      {rows.length === 0 ? (
        <p className="muted">{t('none')}</p>
      ) : (
        <ol>
          {rows.map((row) => (
            <AbsenceEntry
              key={row.id}
              row={row}
              onChange={() => setOpen({ what: 'change', row })}
              onEnd={() => setOpen({ what: 'end', row })}
            />
          ))}
        </ol>
      )}
      {meta.last_page > 1 && <Pager meta={meta} onPage={setPage} />}
      <Suspense fallback={null}>
        {open && open.what !== 'end' && (
          <AbsenceDialog
            employee={employee}
            row={open.what === 'change' ? open.row : null}
            onClose={() => setOpen(undefined)}
          />
        )}
        {open?.what === 'end' && <EndDialog employee={employee} row={open.row} onClose={() => setOpen(undefined)} />}
      </Suspense>
    </Box>
  );
}

/** An error while reading absences, with a retry. */
function Failed({ query }: { query: Pick<UseQueryResult<unknown, ApiError>, 'error' | 'refetch'> }) {
  const t = useTranslations('absences');
  return (
    <Box component="section" aria-label={t('title')}>
      <Title order={2} size="h3">
        {t('title')}
      </Title>
      <ErrorState error={query.error} onRetry={() => void query.refetch()} />
    </Box>
  );
}

type HeadingProps = {
  mayReveal: boolean;
  reveal: boolean;
  onReveal: (reveal: boolean) => void;
  onRecord: (() => void) | undefined;
};

function Heading({ mayReveal, reveal, onReveal, onRecord }: HeadingProps) {
  const t = useTranslations('absences');
  return (
    <Group justify="space-between" gap={10} mb={12}>
      <Title order={2} size="h3">
        {t('title')}
      </Title>
      <Group gap={8}>
        {mayReveal && (
          <Button variant="subtle" onClick={() => onReveal(!reveal)}>
            {t(reveal ? 'hideReasons' : 'showReasons')}
          </Button>
        )}
        {onRecord && (
          <Button variant="default" onClick={onRecord}>
            {t('record')}
          </Button>
        )}
      </Group>
    </Group>
  );
}

/** Offers to pause the probation of an absent person, since it is never paused automatically. */
function PauseOffer({ employee, rows, onPause }: Props & { rows: readonly Absence[] }) {
  const t = useTranslations('absences');
  const isAway = rows.some(({ state }) => state === 'current');
  if (!isAway || !employee.allowed_actions.includes('probation-pause')) return null;
  return (
    <Group gap="6px 12px" mb={12}>
      <span>{t('probation', { name: employee.display_name })}</span>
      <Button variant="light" size="compact-sm" onClick={onPause}>
        {t('pause')}
      </Button>
    </Group>
  );
}
