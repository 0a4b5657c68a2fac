import { ActionIcon, Stack } from '@mantine/core';
import { IconDownload, IconFile, IconLink, IconNote, IconTrash } from '@tabler/icons-react';
import type { Evidence } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { apiBase } from '../../../../api/base.ts';
import { Moment } from '../../../../ui/Dates.tsx';
import { FileSize } from '../../../../ui/FileSize.tsx';
import { focusNeighbour } from '../../../../ui/focus-neighbour.ts';
import { StatusBadge, type Tone } from '../../../../ui/StatusBadge.tsx';
import classes from './evidence.module.css';
import { useDelete } from './use-delete.ts';

const tones: Partial<Record<NonNullable<Evidence['scan_status']>, Tone>> = {
  pending: 'info',
  infected: 'danger',
  error: 'warn',
};

/** A piece of evidence: its content, author and step. */
export function EvidenceItem({ evidence }: { evidence: Evidence }) {
  const t = useTranslations('kpiEvidence');
  const remove = useDelete();
  const { file_name: file, url, scan_status: scan } = evidence;
  const name = file ?? url ?? t('note');
  const tone = scan ? tones[scan] : undefined;
  const Icon = file !== null ? IconFile : url !== null ? IconLink : IconNote;
  return (
    <li className={classes['piece']}>
      <Icon size={18} stroke={1.6} aria-hidden />
      <EvidenceContent evidence={evidence} />
      {tone && <StatusBadge tone={tone} label={t(`scan.${scan as 'pending'}`)} />}
      {evidence.download_url !== null && !tone && (
        <ActionIcon
          component="a"
          href={`${apiBase}${evidence.download_url}`}
          download
          variant="subtle"
          color="gray"
          aria-label={t('download', { name })}
        >
          <IconDownload size={17} aria-hidden />
        </ActionIcon>
      )}
      {evidence.allowed_actions.includes('delete') && (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('delete', { name })}
          data-delete
          onClick={({ currentTarget }) => {
            focusNeighbour(currentTarget, '[data-delete]');
            remove(evidence);
          }}
        >
          <IconTrash size={17} aria-hidden />
        </ActionIcon>
      )}
    </li>
  );
}

/** The file, link or note itself, and its origin. */
function EvidenceContent({ evidence }: { evidence: Evidence }) {
  const t = useTranslations('kpiEvidence');
  const { file_name: file, url, note, size } = evidence;
  return (
    <Stack gap={2} flex={1} miw={0} className={classes['what']}>
      {url !== null && (
        <a href={url} target="_blank" rel="noopener noreferrer">
          <bdi>{url}</bdi>
        </a>
      )}
      {file !== null && (
        <span>
          <bdi>{file}</bdi> {size !== null && <FileSize bytes={size} />}
        </span>
      )}
      {note !== null && <span className={classes['note']}>{note}</span>}
      <span className="muted">
        {t(`stage.${evidence.stage}`)} · <bdi>{evidence.uploaded_by.name}</bdi> · <Moment value={evidence.created_at} />
      </span>
    </Stack>
  );
}
