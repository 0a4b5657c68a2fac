import { Group, Stack } from '@mantine/core';
import { kpiEvidence } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load } from '../../../../api/query.ts';
import { useDeferred } from '../../../../ui/deferred.ts';
import { ErrorState } from '../../../../ui/ErrorState.tsx';
import { AddEvidence } from './AddEvidence.tsx';
import classes from './evidence.module.css';
import { EvidenceItem } from './EvidenceItem.tsx';
import { deletionOf } from './use-delete.ts';

type Props = {
  evaluationId: number;
  /** Absent for evidence of the evaluation as a whole. */
  itemId: number | undefined;
  mayAdd: boolean;
  /** The evaluation cannot be submitted without evidence. */
  isRequired: boolean;
};

/** The evidence limit of an item; the service enforces it. */
const most = 10;

/** The evidence of an answer: files, links and notes. */
export function EvidencePart({ evaluationId, itemId, mayAdd, isRequired }: Props) {
  const t = useTranslations('kpiEvidence');
  const deferred = useDeferred();
  const query = useQuery(
    load(kpiEvidence.list, { params: { id: evaluationId }, query: { item_id: [itemId ?? 0], per_page: 50 } }),
  );
  const shown = (query.data?.data ?? []).filter((evidence) => !deferred.has(deletionOf(evidence)));
  if (query.isSuccess && shown.length === 0 && !mayAdd) return null;
  return (
    <section className={classes['evidence']} aria-label={t('title')}>
      <Group align="baseline" gap="4px 12px" fz="0.8125rem">
        <h3>{t('title')}</h3>
        {itemId !== undefined && mayAdd && (
          <span className="muted numbers">{t('count', { count: shown.length, most })}</span>
        )}
        {isRequired && shown.length === 0 && query.isSuccess && (
          <span className={classes['demanded']}>{t('demanded')}</span>
        )}
      </Group>
      {failedWithoutData(query) && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {shown.length > 0 && (
        <Stack component="ul" gap={6}>
          {shown.map((evidence) => (
            <EvidenceItem key={evidence.id} evidence={evidence} />
          ))}
        </Stack>
      )}
      {mayAdd && (shown.length < most || itemId === undefined) && (
        <AddEvidence evaluationId={evaluationId} itemId={itemId} />
      )}
      {mayAdd && shown.length >= most && itemId !== undefined && <p className="muted">{t('full', { most })}</p>}
    </section>
  );
}
