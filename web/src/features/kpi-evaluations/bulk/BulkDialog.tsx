import { Button } from '@mantine/core';
import { evaluationBulk } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../../../api/api-error.ts';
import { useSend } from '../../../api/query.ts';
import { Dialog, DialogActions, DialogForm, FormActions } from '../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { BulkFields } from './BulkFields.tsx';
import { BulkProgress } from './BulkProgress.tsx';
import { bodyOf, noChoice, type BulkKind, type Choice, type Outcome } from './kinds.ts';
import { Group, Refusals } from './Refusals.tsx';
import type { Selection } from './use-selected.ts';

type Props = { kind: BulkKind; selection: Selection; count: number; onClose: () => void; onDone: () => void };

/** One HR step for many evaluations: input, preview, and the result or the progress of the job. */
export function BulkDialog({ kind, selection, count, onClose, onDone }: Props) {
  const t = useTranslations('kpiEvaluationBulk');
  const [choice, setChoice] = useState<Choice>(noChoice);
  const { send, preview, result, look, run, back } = useBulk(kind, selection, choice);
  const close = () => {
    if (result) onDone();
    onClose();
  };
  const changed = result?.bulk?.counts.total ?? preview?.counts.changed ?? count;
  return (
    <Dialog title={t(`title.${kind}`, { count: changed })} opened onClose={close} size={preview ? 'lg' : 'md'}>
      {result?.bulk ? (
        <BulkProgress id={result.bulk.id} first={result.bulk} onClose={close} />
      ) : preview ? (
        <Preview
          kind={kind}
          preview={preview}
          error={send.error}
          isPending={send.isPending}
          onBack={back}
          onRun={() => run(preview)}
        />
      ) : (
        <DialogForm onSubmit={look}>
          <p>{t(`text.${kind}`)}</p>
          <ErrorNotice error={send.error} fields={['hr_comment', 'until', 'reviewer_id', 'reason']} />
          <BulkFields kind={kind} choice={choice} onChange={setChoice} errors={send.error?.fieldErrors ?? {}} />
          <FormActions cancel={t('cancel')} onCancel={onClose} submit={t('look')} loading={send.isPending} />
        </DialogForm>
      )}
    </Dialog>
  );
}

/** Requests a preview, then takes the step for the evaluations that are unchanged since. */
function useBulk(kind: BulkKind, selection: Selection, choice: Choice) {
  const send = useSend(evaluationBulk.change);
  const [preview, setPreview] = useState<Outcome>();
  const [result, setResult] = useState<Outcome>();
  const shared = { kind, ...bodyOf(kind, choice) };
  const look = () => {
    const which =
      selection.kind === 'some'
        ? { ids: [...selection.ids] }
        : { filter: selection.query, ...(selection.except.length > 0 && { except_ids: [...selection.except] }) };
    send.mutate({ body: { ...shared, ...which, dry_run: true } }, { onSuccess: ({ data }) => setPreview(data) });
  };
  const run = ({ revisions }: Outcome) =>
    send.mutate(
      { body: { ...shared, ids: revisions.map(({ id }) => id), revisions } },
      { onSuccess: ({ data }) => setResult(data) },
    );
  return { send, preview, result, look, run, back: () => setPreview(undefined) };
}

type PreviewProps = {
  kind: BulkKind;
  preview: Outcome;
  error: ApiError | null;
  isPending: boolean;
  onBack: () => void;
  onRun: () => void;
};

function Preview({ kind, preview, error, isPending, onBack, onRun }: PreviewProps) {
  const t = useTranslations('kpiEvaluationBulk');
  const { counts, reasons, rows } = preview;
  return (
    <>
      <ErrorNotice error={error} />
      <p>{t(kind === 'remind' ? 'previewRemind' : 'preview', counts)}</p>
      {counts.changed > 0 && (
        <Group title={t('ready')} count={counts.changed} rows={rows.filter(({ outcome }) => outcome === 'changed')} />
      )}
      {reasons.length > 0 && <Refusals reasons={reasons} rows={rows} />}
      <DialogActions>
        <Button variant="default" onClick={onBack}>
          {t('back')}
        </Button>
        <Button
          disabled={counts.changed === 0}
          loading={isPending}
          onClick={onRun}
          {...(kind === 'cancel' && { color: 'red.9' })}
        >
          {t(`kind.${kind}`)}
        </Button>
      </DialogActions>
    </>
  );
}
