import { Group, Paper, Stack } from '@mantine/core';
import type { BaseBackups } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { Moment } from '../../ui/Dates.tsx';
import { SectionTitle } from '../../ui/SectionTitle.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { Item } from './Work.tsx';

/** Base backups, from which point-in-time recovery starts. */
export function Bases({ bases }: { bases: BaseBackups }) {
  const t = useTranslations('backups');
  const { last_success_at: last, last_failure: failure, next_at } = bases;
  return (
    <Paper component="li" p={16} bd="1px solid var(--line)" radius="lg">
      <Group justify="space-between" gap={8} mb={2}>
        <SectionTitle>{t('kind.base')}</SectionTitle>
        <State bases={bases} />
      </Group>
      <p className="muted small">{t('about.base')}</p>
      <Stack component="dl" gap={8} mt={12}>
        {failure && <Item label={t('failedOn')} value={<Moment value={failure.at} />} />}
        {failure && <Item label={t('reason')} value={failure.error} />}
        <Item label={t('lastSuccess')} value={last ? <Moment value={last} /> : t('never')} />
        <Item label={t('next')} value={<Moment value={next_at} />} />
      </Stack>
    </Paper>
  );
}

function State({ bases: { failures, last_success_at } }: { bases: BaseBackups }) {
  const t = useTranslations('backups.state');
  if (failures > 0) return <StatusBadge tone="danger" label={t('failed', { count: failures })} />;
  return last_success_at ? (
    <StatusBadge tone="good" label={t('done')} />
  ) : (
    <StatusBadge tone="info" label={t('none')} />
  );
}
