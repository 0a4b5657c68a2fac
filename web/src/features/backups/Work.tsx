import { Group, Paper, Stack } from '@mantine/core';
import type { BackupRun, BackupWork } from '@tenure/contract';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Moment } from '../../ui/Dates.tsx';
import { FileSize } from '../../ui/FileSize.tsx';
import { SectionTitle } from '../../ui/SectionTitle.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';

type Props = { work: BackupWork };

/** One of the three kinds of backup task: its last success, its next run, and why it fails. */
export function Work({ work }: Props) {
  const t = useTranslations('backups');
  const { kind, last_success: last, last_failure: failure, next_at, off } = work;
  return (
    <Paper component="li" p={16} bd="1px solid var(--line)" radius="lg">
      <Group justify="space-between" gap={8} mb={2}>
        <SectionTitle>{t(`kind.${kind}`)}</SectionTitle>
        <State work={work} />
      </Group>
      <p className="muted small">{t(`about.${kind}`)}</p>
      <Stack component="dl" gap={8} mt={12}>
        {failure && <Item label={t('failedOn')} value={<Moment value={failure.finished_at} />} />}
        {failure && <Item label={t('reason')} value={failure.error} />}
        <Item label={t('lastSuccess')} value={last ? <Moment value={last.finished_at} /> : t('never')} />
        <Item label={t('next')} value={next_at ? <Moment value={next_at} /> : <WhyOff kind={kind} off={off} />} />
        {last && <Content run={last} />}
      </Stack>
    </Paper>
  );
}

export const Item = ({ label, value }: { label: string; value: ReactNode }) => (
  <div>
    <dt className="muted small">{label}</dt>
    <dd style={{ overflowWrap: 'anywhere' }}>{value}</dd>
  </div>
);

function State({ work: { failures, last_success, off } }: Props) {
  const t = useTranslations('backups');
  if (failures > 0) return <StatusBadge tone="danger" label={t('state.failed', { count: failures })} />;
  if (off) return <StatusBadge tone="quiet" label={t('state.off')} />;
  return last_success ? (
    <StatusBadge tone="good" label={t('state.done')} />
  ) : (
    <StatusBadge tone="info" label={t('state.none')} />
  );
}

function WhyOff({ kind, off }: Pick<BackupWork, 'kind' | 'off'>) {
  const t = useTranslations('backups');
  const code = (text: ReactNode) => <code>{text}</code>;
  if (off === 'unreadable') return t.rich('off.unreadable', { code });
  return off === 'setting'
    ? t.rich('off.setting', { code, name: kind === 'drill' ? 'BACKUP_DRILL' : 'BACKUP_VERIFY' })
    : t('never');
}

/** What the last successful run processed. */
function Content({
  run: { bytes, sent_bytes, rows, files, is_encrypted, was_read, manifest_sha256 },
}: {
  run: BackupRun;
}) {
  const t = useTranslations('backups');
  return (
    <>
      {bytes !== null && <Item label={t('size')} value={<FileSize bytes={bytes} />} />}
      {sent_bytes !== null && <Item label={t('sent')} value={<FileSize bytes={sent_bytes} />} />}
      {rows !== null && files !== null && <Item label={t('content')} value={t('contentOf', { rows, files })} />}
      {is_encrypted !== null && <Item label={t('encryption')} value={t(is_encrypted ? 'encrypted' : 'notEncrypted')} />}
      {was_read === false && <Item label={t('extent')} value={t('notRead')} />}
      {was_read === null && manifest_sha256 && <Item label={t('manifest')} value={<code>{manifest_sha256}</code>} />}
    </>
  );
}
