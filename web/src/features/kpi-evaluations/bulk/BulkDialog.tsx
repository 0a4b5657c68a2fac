import { Button, Textarea } from '@mantine/core';
import { evaluationBulk, type evaluationBulkKinds, type Reply } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../../api/query.ts';
import { Dialog, DialogActions, DialogForm, FormActions } from '../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { BulkRows } from './BulkRows.tsx';

export type BulkKind = (typeof evaluationBulkKinds)[number];
type Outcome = Reply<typeof evaluationBulk.change>['data'];

type Props = { kind: BulkKind; ids: readonly number[]; onClose: () => void; onDone: () => void };

/**
 * One step of HR with many evaluations: consequences, preview of each evaluation, result.
 * Over 40 lines: the three states of one dialog.
 */
export function BulkDialog({ kind, ids, onClose, onDone }: Props) {
  const t = useTranslations('kpiEvaluationBulk');
  const { send, comment, setComment, preview, result, look, run, back } = useBulk(kind, ids);
  const close = () => {
    if (result) onDone();
    onClose();
  };
  const title = t(`title.${kind}`, { count: (result ?? preview)?.counts.changed ?? ids.length });
  return (
    <Dialog title={title} opened onClose={close} size={preview ? 'lg' : 'md'}>
      {result ? (
        <Result result={result} onClose={close} />
      ) : preview ? (
        <>
          <ErrorNotice error={send.error} />
          <p>{t(kind === 'remind' ? 'previewRemind' : 'preview', preview.counts)}</p>
          <BulkRows rows={preview.rows} />
          <DialogActions>
            <Button variant="default" onClick={back}>
              {t('back')}
            </Button>
            <Button disabled={preview.counts.changed === 0} loading={send.isPending} onClick={() => run(preview.rows)}>
              {t(`kind.${kind}`)}
            </Button>
          </DialogActions>
        </>
      ) : (
        <DialogForm onSubmit={look}>
          <p>{t(`text.${kind}`)}</p>
          <ErrorNotice error={send.error} fields={['hr_comment']} />
          {kind === 'hr-review' && (
            <Textarea
              label={t('comment')}
              description={t('commentHint')}
              rows={4}
              maxLength={5_000}
              value={comment}
              error={send.error?.fieldErrors['hr_comment']}
              onChange={(event) => setComment(event.currentTarget.value)}
              data-autofocus
            />
          )}
          <FormActions cancel={t('cancel')} onCancel={onClose} submit={t('look')} loading={send.isPending} />
        </DialogForm>
      )}
    </Dialog>
  );
}

/** Requests a preview, then takes the step with the evaluations that are unchanged since. */
function useBulk(kind: BulkKind, ids: readonly number[]) {
  const send = useSend(evaluationBulk.change);
  const [comment, setComment] = useState('');
  const [preview, setPreview] = useState<Outcome>();
  const [result, setResult] = useState<Outcome>();
  const shared = { kind, ...(kind === 'hr-review' && { hr_comment: comment.trim() || null }) };
  const look = () =>
    send.mutate({ body: { ...shared, ids: [...ids], dry_run: true } }, { onSuccess: ({ data }) => setPreview(data) });
  const run = (rows: Outcome['rows']) => {
    const ready = rows.filter(({ outcome }) => outcome === 'changed');
    const revisions = ready.flatMap(({ id, revision }) => (revision === null ? [] : [{ id, revision }]));
    send.mutate(
      { body: { ...shared, ids: ready.map(({ id }) => id), revisions } },
      { onSuccess: ({ data }) => setResult(data) },
    );
  };
  return { send, comment, setComment, preview, result, look, run, back: () => setPreview(undefined) };
}

function Result({ result: { kind, counts, rows }, onClose }: { result: Outcome; onClose: () => void }) {
  const t = useTranslations('kpiEvaluationBulk');
  const refused = rows.filter(({ outcome }) => outcome === 'refused');
  return (
    <>
      <output>{t(`result.${kind}`, counts)}</output>
      {refused.length > 0 && (
        <>
          <p>{t('failed', counts)}</p>
          <BulkRows rows={refused} />
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
