import { Stack } from '@mantine/core';
import type { Evidence } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { EvidenceItem } from '../evidence/EvidenceItem.tsx';

/** Read-only evidence; renders nothing if there is none. */
export function EvidenceList({ evidence }: { evidence: readonly Evidence[] }) {
  const t = useTranslations('kpiEvidence');
  if (evidence.length === 0) return null;
  return (
    <Stack component="ul" gap={6} aria-label={t('title')}>
      {evidence.map((piece) => (
        <EvidenceItem key={piece.id} evidence={piece} />
      ))}
    </Stack>
  );
}
