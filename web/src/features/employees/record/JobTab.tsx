import { Box, Button, Group, Stack, Title } from '@mantine/core';
import { IconArrowsExchange } from '@tabler/icons-react';
import { jobHistory, type Employee, type JobHistoryRow } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load } from '../../../api/query.ts';
import { Link } from '@tanstack/react-router';
import { paths } from '../../../paths.ts';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Message } from '../../../ui/Message.tsx';
import { Pager } from '../../../ui/Pager.tsx';
import type { DialogName } from '../search.ts';
import { JobEntry } from './JobEntry.tsx';
import { LoadingLines } from '../../../ui/LoadingLines.tsx';

export type TabProps = { id: number; page: number; onPage: (page: number) => void };

const PastJob = lazyPart(() => import('../lifecycle/PastJob.tsx'), 'PastJob', 'past-job', 'steps');

const Absences = lazyPart(() => import('../absences/Absences.tsx'), 'Absences', 'absences');

type Props = TabProps & { employee: Employee; onDialog: (name: DialogName) => void };

/** The job history: planned, present and past changes. */
export function JobTab({ id, page, onPage, employee, onDialog }: Props) {
  const t = useTranslations('profile.job');
  // null: a new job
  const [past, setPast] = useState<JobHistoryRow | null>();
  const query = useQuery({
    ...load(jobHistory.list, { params: { id }, query: { page } }),
    placeholderData: keepPreviousData,
  });
  if (query.isPending) return <LoadingLines lines={4} />;
  if (failedWithoutData(query)) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const { data: rows, meta } = query.data;
  const change = <Steps employee={employee} onChange={() => onDialog('job')} onAddPast={() => setPast(null)} />;
  const away = (
    <Suspense fallback={null}>
      <Absences employee={employee} onPause={() => onDialog('probation-pause')} />
    </Suspense>
  );
  if (rows.length === 0)
    return (
      <>
        <Message title={t('none')} actions={change} />
        <Box px="gutter">{away}</Box>
      </>
    );
  const isAhead = ({ status }: JobHistoryRow) => status === 'scheduled' || status === 'failed';
  const ahead = rows.filter(isAhead).reverse();
  const since = rows.filter((row) => !isAhead(row));
  return (
    <>
      <Stack flex={1} gap={24} maw="52rem" px="gutter" pt={20} pb={32} opacity={query.isPlaceholderData ? 0.55 : 1}>
        {change}
        {away}
        {ahead.length > 0 && <Entries title={t('ahead')} rows={ahead} onCorrect={setPast} />}
        <Entries title={t('since')} rows={since} onCorrect={setPast} />
      </Stack>
      {meta.last_page > 1 && <Pager meta={meta} onPage={onPage} />}
      {past !== undefined && (
        <Suspense fallback={null}>
          <PastJob employee={employee} row={past} onClose={() => setPast(undefined)} />
        </Suspense>
      )}
    </>
  );
}

type StepsProps = { employee: Employee; onChange: () => void; onAddPast: () => void };

/** What the user may do with the job. */
function Steps({ employee, onChange, onAddPast }: StepsProps) {
  const t = useTranslations('profile.job');
  const { allowed_actions: may } = employee;
  return (
    <Group gap={10}>
      {may.includes('job-history') && (
        <Button leftSection={<IconArrowsExchange size={16} aria-hidden />} onClick={onChange}>
          {t('change')}
        </Button>
      )}
      {may.includes('past-jobs') && (
        <Button variant="default" onClick={onAddPast}>
          {t('addPast')}
        </Button>
      )}
      <Button
        variant="default"
        renderRoot={(props) => (
          <Link
            {...props}
            to={paths.employee}
            params={{ id: String(employee.id) }}
            search={{ as_of: employee.today }}
          />
        )}
      >
        {t('asOf')}
      </Button>
    </Group>
  );
}

type EntriesProps = { title: string; rows: readonly JobHistoryRow[]; onCorrect: (row: JobHistoryRow) => void };

const Entries = ({ title, rows, onCorrect }: EntriesProps) => (
  <section aria-label={title}>
    <Title order={2} size="h3" mb={12}>
      {title}
    </Title>
    <ol>
      {rows.map((row) => (
        <JobEntry key={row.id} row={row} onCorrect={onCorrect} />
      ))}
    </ol>
  </section>
);
