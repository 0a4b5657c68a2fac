import { Button } from '@mantine/core';
import { plannedChanges, type PlannedChange, type Reply } from '@tenure/contract';
import { useEffect, useEffectEvent } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../../api/query.ts';
import { Dialog, DialogActions } from '../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { LoadingLines } from '../../../ui/LoadingLines.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import { useReplan } from './undo.ts';

type Rows = Reply<typeof plannedChanges.cancel>['data']['rows'];
type Props = { changes: readonly PlannedChange[]; onClose: () => void; onDone: () => void };

/** Shows which changes can be cancelled, then cancels them; the toast offers to undo it. */
export function CancelDialog({ changes, onClose, onDone }: Props) {
  const t = useTranslations('plannedChanges.dialog');
  const { preview, run, data } = useCancel(changes, () => {
    onDone();
    onClose();
  });
  const count = data?.counts.cancelled ?? 0;
  return (
    <Dialog title={t('title', { count: changes.length })} opened onClose={onClose} size="md">
      <ErrorNotice error={run.error ?? preview.error} />
      {preview.isPending && <LoadingLines lines={2} />}
      {data && (
        <>
          <p>{t('consequence', { count })}</p>
          <Refused rows={data.rows} />
        </>
      )}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('keep')}
        </Button>
        <Button color="red.9" disabled={count === 0} loading={run.isPending} onClick={run.start}>
          {t('action', { count })}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function useCancel(changes: readonly PlannedChange[], onDone: () => void) {
  const t = useTranslations('plannedChanges.dialog');
  const toast = useToast();
  const replan = useReplan();
  const preview = useSend(plannedChanges.cancel);
  const run = useSend(plannedChanges.cancel);
  const ids = changes.map(({ id }) => id);
  const look = useEffectEvent(() => preview.mutate({ body: { ids, dry_run: true } }));
  useEffect(() => look(), []);
  const start = () =>
    run.mutate(
      { body: { ids } },
      {
        onSuccess: ({ data: { counts, rows } }) => {
          const gone = new Set(rows.flatMap(({ id, outcome }) => (outcome === 'cancelled' ? [id] : [])));
          // A failed change cannot be planned again for the same day.
          const back = changes.filter(({ id, status }) => gone.has(id) && status === 'scheduled');
          const undo = () =>
            void replan(back).then((refused) => refused > 0 && toast({ text: t('notUndone', { count: refused }) }));
          toast({ text: t('done', { count: counts.cancelled }), ...(back.length > 0 && { undo }) });
          onDone();
        },
      },
    );
  return { preview, run: { ...run, start }, data: preview.data?.data };
}

/** The changes that cannot be cancelled, with the reasons. */
function Refused({ rows }: { rows: Rows }) {
  const t = useTranslations('plannedChanges.dialog');
  const refused = rows.filter(({ outcome }) => outcome === 'refused');
  if (refused.length === 0) return null;
  return (
    <section aria-label={t('refused', { count: refused.length })}>
      <p>{t('refused', { count: refused.length })}</p>
      <ul className="muted">
        {refused.map(({ id, label, errors }) => (
          <li key={id}>
            {label && <bdi>{label}: </bdi>}
            {Object.values(errors).flat().join(' ')}
          </li>
        ))}
      </ul>
    </section>
  );
}
