import { Button, Progress } from '@mantine/core';
import { evaluationBulk, type EvaluationBulk } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { load, useSend } from '../../../api/query.ts';
import { DialogActions } from '../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { Refusals } from './Refusals.tsx';

type Props = { id: number; first?: EvaluationBulk; onClose: () => void };

/** The progress of a bulk step, with a button to stop it; afterwards its result. */
export function BulkProgress({ id, first, onClose }: Props) {
  const query = useQuery({
    ...load(evaluationBulk.get, { params: { id } }),
    enabled: first?.status !== 'completed',
    refetchInterval: ({ state }) => (state.data?.data.status === 'processing' ? 1_000 : false),
  });
  const bulk = query.data?.data ?? first;
  if (!bulk) return <ErrorNotice error={query.error} />;
  return bulk.status === 'processing' ? (
    <Running bulk={bulk} onClose={onClose} />
  ) : (
    <Ended bulk={bulk} onClose={onClose} />
  );
}

type PartProps = { bulk: EvaluationBulk; onClose: () => void };

function Running({ bulk: { id, counts, allowed_actions: allowed }, onClose }: PartProps) {
  const t = useTranslations('kpiEvaluationBulk');
  const send = useSend(evaluationBulk.cancel);
  const done = counts.total - counts.open;
  return (
    <>
      <ErrorNotice error={send.error} />
      <output>{t('progress', { done, total: counts.total })}</output>
      <Progress value={(100 * done) / counts.total} aria-label={t('progressLabel')} />
      <p className="muted">{t(allowed.includes('cancel') ? 'goesOn' : 'stopping')}</p>
      <DialogActions>
        {allowed.includes('cancel') && (
          <Button variant="default" loading={send.isPending} onClick={() => send.mutate({ params: { id } })}>
            {t('stop')}
          </Button>
        )}
        <Button onClick={onClose} data-autofocus>
          {t('close')}
        </Button>
      </DialogActions>
    </>
  );
}

function Ended({ bulk, onClose }: PartProps) {
  const t = useTranslations('kpiEvaluationBulk');
  const { id, kind, status, counts, reasons, stop_reason: why } = bulk;
  const refused = useQuery({
    ...load(evaluationBulk.rows, { params: { id }, query: { outcome: 'refused', per_page: 100 } }),
    enabled: counts.refused > 0,
  });
  return (
    <>
      <output>{t(`result.${kind}`, counts)}</output>
      {status !== 'completed' && <p>{t('stopped', { open: counts.open })}</p>}
      {why !== null && <p role="alert">{why}</p>}
      {counts.refused > 0 && (
        <>
          <p>{t('failed', counts)}</p>
          <Refusals reasons={reasons} rows={refused.data?.data ?? []} run={id} />
        </>
      )}
      <DialogActions>
        <Button onClick={onClose} data-autofocus>
          {t('done')}
        </Button>
      </DialogActions>
    </>
  );
}
