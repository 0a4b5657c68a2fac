import { CloseButton, Flex, Group, Progress, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconFileImport } from '@tabler/icons-react';
import { employeeImports, type ImportRow } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { paths } from '../../paths.ts';
import classes from './ImportWatch.module.css';
import { useRunningImports } from './use-running-imports.ts';

/** Follows the user's running imports on every page and reports how each ended. */
export function ImportWatch() {
  const t = useTranslations('importWatch');
  const { followed, close } = useRunningImports();
  return (
    <aside className={classes['watch']} aria-label={t('label')} hidden={followed.length === 0}>
      {followed.map((row) => (
        <Followed key={row.id} row={row} onClose={() => close(row.id)} />
      ))}
    </aside>
  );
}

function Followed({ row, onClose }: { row: ImportRow; onClose: () => void }) {
  const t = useTranslations('importWatch');
  const ended = useQuery({
    ...load(employeeImports.get, { params: { id: row.id } }),
    enabled: row.status !== 'processing',
    // The cached import may be older than its end.
    staleTime: 0,
  });
  // Until the final state is loaded, the import counts as running.
  const now = row.status === 'processing' ? row : (ended.data?.data ?? { ...row, status: 'processing' as const });
  if (ended.isError) return null;
  const isRunning = now.status === 'processing';
  const isGood = ['completed', 'undone', 'preview'].includes(now.status);
  return (
    <Flex
      component="section"
      align="flex-start"
      gap={10}
      p="12px 10px 12px 14px"
      bd="1px solid var(--line)"
      bg="var(--sheet)"
      style={{ borderRadius: 12, boxShadow: '0 8px 28px rgb(0 0 0 / 0.16)' }}
    >
      <Mark isRunning={isRunning} isGood={isGood} />
      <Stack flex={1} gap={2} miw={0} fz="sm">
        <output style={{ fontWeight: 560 }}>
          {isRunning
            ? t(`phase.${now.phase ?? 'checking'}`)
            : t(`ended.${now.status === 'processing' ? 'completed' : now.status}`)}
        </output>
        <Text span truncate className="muted" size="sm">
          <bdi>{now.file_name}</bdi>
        </Text>
        {isRunning ? <ImportProgress row={now} /> : <Ended row={now} />}
      </Stack>
      <CloseButton size="sm" aria-label={t('close', { file: now.file_name })} onClick={onClose} />
    </Flex>
  );
}

function Mark({ isRunning, isGood }: { isRunning: boolean; isGood: boolean }) {
  const Icon = isRunning ? IconFileImport : isGood ? IconCircleCheck : IconAlertTriangle;
  const color = isRunning ? 'var(--accent)' : isGood ? 'var(--good-fg)' : 'var(--danger)';
  return <Icon size={20} stroke={1.7} style={{ flex: 'none', color }} aria-hidden />;
}

function ImportProgress({ row: { id, progress, phase, file_name } }: { row: ImportRow }) {
  const t = useTranslations('importWatch');
  const { processed, total } = progress;
  return (
    <>
      <Progress.Root size="sm" mt={5} mb={3}>
        <Progress.Section
          value={total > 0 ? (processed / total) * 100 : 0}
          aria-label={t(`phase.${phase ?? 'checking'}`)}
        />
      </Progress.Root>
      <Group justify="space-between" gap="2px 12px">
        <span className="muted numbers">{t('progress', { processed, total })}</span>
        <Link to={paths.import} params={{ id: String(id) }}>
          {t('open')}
          <span className="visually-hidden"> {file_name}</span>
        </Link>
      </Group>
    </>
  );
}

function Ended({ row: { id, status, counts, file_name } }: { row: ImportRow }) {
  const t = useTranslations('importWatch');
  const { created, updated, failed } = counts;
  return (
    <Group justify="space-between" gap="2px 12px">
      <span className="muted">
        {status === 'completed' && t('written', { created, updated, failed })}
        {status === 'preview' && t('checked', { count: created + updated, failed })}
      </span>
      <Link to={paths.import} params={{ id: String(id) }}>
        {t(status === 'preview' || status === 'needs_mapping' ? 'goOn' : 'seeResult')}
        <span className="visually-hidden"> {file_name}</span>
      </Link>
    </Group>
  );
}
