import { Button } from '@mantine/core';
import { employeeBulk } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../../../api/api-error.ts';
import { useSend } from '../../../api/query.ts';
import { Dialog, DialogActions, DialogForm, FormActions } from '../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { useDayText } from '../../../ui/use-day-text.ts';
import { bulkBody, BulkFields, noChoice, type BulkChoice, type BulkKind } from './BulkFields.tsx';
import { BulkRows } from './BulkRows.tsx';
import { useBulkUndo, type Outcome } from './use-bulk-undo.ts';
import { countOf, type Selection } from './use-selection.ts';

type Props = { kind: BulkKind; selection: Selection; onClose: () => void; onDone: () => void };

/** A bulk change in three steps: input, preview of each person, result. */
export function BulkDialog({ kind, selection, onClose, onDone }: Props) {
  const t = useTranslations('employees.bulk');
  const [choice, setChoice] = useState<BulkChoice>(noChoice);
  const { send, preview, result, look, run, back } = useBulkChange(kind, selection, choice);
  const close = () => {
    if (result) onDone();
    onClose();
  };
  const title = t(`title.${kind}`, { count: result?.counts.changed ?? countOf(selection) });
  return (
    <Dialog title={title} opened onClose={close} size={preview ? 'xl' : 'md'}>
      {result ? (
        <Result result={result} choice={choice} onClose={close} />
      ) : preview ? (
        <Preview
          kind={kind}
          preview={preview}
          error={send.error}
          isPending={send.isPending}
          onBack={back}
          onRun={() => run(preview.rows)}
        />
      ) : (
        <DialogForm onSubmit={look}>
          <p className="muted">{t(`then.${kind}`)}</p>
          <ErrorNotice
            error={send.error}
            fields={['department_id', 'effective_from', 'reporting_manager_id', 'reason', 'reassign_to']}
          />
          <BulkFields kind={kind} choice={choice} onChange={setChoice} errors={send.error?.fieldErrors ?? {}} />
          <FormActions cancel={t('cancel')} onCancel={onClose} submit={t('look')} loading={send.isPending} />
        </DialogForm>
      )}
    </Dialog>
  );
}

/** Requests a preview, then makes the change to the records that are unchanged since. */
function useBulkChange(kind: BulkKind, selection: Selection, choice: BulkChoice) {
  const send = useSend(employeeBulk.change);
  const [preview, setPreview] = useState<Outcome>();
  const [result, setResult] = useState<Outcome>();
  const look = () => {
    const people =
      selection.kind === 'some'
        ? { ids: [...selection.ids] }
        : { filter: selection.query, except_ids: [...selection.except] };
    send.mutate(
      { body: { kind, dry_run: true, ...people, ...bulkBody(kind, choice) } },
      { onSuccess: ({ data }) => setPreview(data) },
    );
  };
  const run = (rows: Outcome['rows']) => {
    const changing = rows.filter(({ outcome }) => outcome === 'changed');
    const revisions = changing.flatMap(({ id, revision }) => (revision === null ? [] : [{ id, revision }]));
    send.mutate(
      { body: { kind, ids: changing.map(({ id }) => id), revisions, ...bulkBody(kind, choice) } },
      { onSuccess: ({ data }) => setResult(data) },
    );
  };
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

/** The preview of the change for each person. */
function Preview({ kind, preview, error, isPending, onBack, onRun }: PreviewProps) {
  const t = useTranslations('employees.bulk');
  return (
    <>
      <ErrorNotice error={error} />
      <p>{t('preview', preview.counts)}</p>
      <BulkRows rows={preview.rows} />
      <DialogActions>
        <Button variant="default" onClick={onBack}>
          {t('back')}
        </Button>
        <Button
          disabled={preview.counts.changed === 0}
          loading={isPending}
          onClick={onRun}
          {...(kind === 'deactivate' && { color: 'red.9' })}
        >
          {t(`run.${kind}`, { count: preview.counts.changed })}
        </Button>
      </DialogActions>
    </>
  );
}

type ResultProps = { result: Outcome; choice: BulkChoice; onClose: () => void };

/** What was changed or planned, who was skipped, and an undo button. */
function Result({ result, choice, onClose }: ResultProps) {
  const t = useTranslations('employees.bulk');
  const refused = result.rows.filter(({ outcome }) => outcome === 'refused');
  const undo = useBulkUndo(result, choice);
  return (
    <>
      <output>{undo.undone ?? <Said result={result} choice={choice} />}</output>
      {refused.length > 0 && !undo.undone && <BulkRows rows={refused} />}
      <ErrorNotice error={undo.error} />
      <DialogActions>
        {undo.isOffered && (
          <Button variant="default" loading={undo.isPending} onClick={undo.start}>
            {t('undo')}
          </Button>
        )}
        <Button data-autofocus onClick={onClose}>
          {t('done')}
        </Button>
      </DialogActions>
    </>
  );
}

/** The numbers of people changed and refused; for a future day, a note that the moves are scheduled. */
function Said({ result: { kind, counts, planned_ids }, choice }: Omit<ResultProps, 'onClose'>) {
  const t = useTranslations('employees.bulk');
  const dayText = useDayText();
  if (planned_ids.length === 0) return t(`result.${kind}`, counts);
  const day = dayText(choice.from);
  return t('scheduled', { ...counts, day });
}
