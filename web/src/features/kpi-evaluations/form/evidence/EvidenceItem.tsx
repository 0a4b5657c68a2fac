import { ActionIcon, Stack } from '@mantine/core';
import { IconDownload, IconFile, IconLink, IconNote, IconTrash } from '@tabler/icons-react';
import type { Evidence } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { apiBase } from '../../../../api/base.ts';
import { Moment } from '../../../../ui/Dates.tsx';
import { FileSize } from '../../../../ui/FileSize.tsx';
import { StatusBadge, type Tone } from '../../../../ui/StatusBadge.tsx';
import classes from './evidence.module.css';
import { useDelete } from './use-delete.ts';

const tones: Partial<Record<NonNullable<Evidence['scan_status']>, Tone>> = {
  pending: 'info',
  infected: 'danger',
  error: 'warn',
};

/** A piece of evidence: its content, author and step. */
export function EvidenceItem({ piece }: { piece: Evidence }) {
  const t = useTranslations('kpiEvidence');
  const remove = useDelete();
  const { file_name: file, url, scan_status: scan } = piece;
  const name = file ?? url ?? t('note');
  const tone = scan ? tones[scan] : undefined;
  const Icon = file !== null ? IconFile : url !== null ? IconLink : IconNote;
  return (
    <li className={classes['piece']}>
      <Icon size={18} stroke={1.6} aria-hidden />
      <What piece={piece} />
      {tone && <StatusBadge tone={tone} label={t(`scan.${scan as 'pending'}`)} />}
      {piece.download_url !== null && !tone && (
        <ActionIcon
          component="a"
          href={`${apiBase}${piece.download_url}`}
          download
          variant="subtle"
          color="gray"
          aria-label={t('download', { name })}
        >
          <IconDownload size={17} aria-hidden />
        </ActionIcon>
      )}
      {piece.allowed_actions.includes('delete') && (
        <ActionIcon variant="subtle" color="gray" aria-label={t('delete', { name })} onClick={() => remove(piece)}>
          <IconTrash size={17} aria-hidden />
        </ActionIcon>
      )}
    </li>
  );
}

/** The file, link or note itself, and its origin. */
function What({ piece }: { piece: Evidence }) {
  const t = useTranslations('kpiEvidence');
  const { file_name: file, url, note, size } = piece;
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
        {t(`stage.${piece.stage}`)} · <bdi>{piece.uploaded_by.name}</bdi> · <Moment value={piece.created_at} />
      </span>
    </Stack>
  );
}
