import { Button } from '@mantine/core';
import { employeeBulk, type Reply } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../../api/query.ts';
import { Dialog, DialogActions, DialogForm } from '../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { bulkBody, BulkFields, noChoice, type BulkChoice, type BulkKind } from './BulkFields.tsx';
import { BulkRows } from './BulkRows.tsx';
import { countOf, type Selection } from './use-selection.ts';

export type Outcome = Reply<typeof employeeBulk.change>['data'];

type Props = { kind: BulkKind; selection: Selection; onClose: () => void; onDone: () => void };

/** A change of many people: what, then what it would do to each, then what it did. */
export function BulkDialog({ kind, selection, onClose, onDone }: Props) {
  const t = useTranslations('employees.bulk');
  const [choice, setChoice] = useState<BulkChoice>(noChoice);
  const [preview, setPreview] = useState<Outcome>();
  const send = useSend(employeeBulk.change);
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
  const close = () => {
    if (result) onDone();
    onClose();
  };
  const title = t(`title.${kind}`, { count: result?.counts.changed ?? countOf(selection) });
  return (
    <Dialog title={title} opened onClose={close} size={preview ? 'xl' : 'md'}>
      {result ? (
        <Result result={result} onClose={close} />
      ) : preview ? (
        <>
          <ErrorNotice error={send.error} />
          <p>{t('preview', preview.counts)}</p>
          <BulkRows rows={preview.rows} />
          <DialogActions>
            <Button variant="default" onClick={() => setPreview(undefined)}>
              {t('back')}
            </Button>
            <Button
              disabled={preview.counts.changed === 0}
              loading={send.isPending}
              onClick={() => run(preview.rows)}
              {...(kind === 'deactivate' && { color: 'red.9' })}
            >
              {t(`run.${kind}`, { count: preview.counts.changed })}
            </Button>
          </DialogActions>
        </>
      ) : (
        <DialogForm onSubmit={look}>
          <p className="muted">{t(`then.${kind}`)}</p>
          <ErrorNotice
            error={send.error}
            fields={['department_id', 'effective_from', 'reporting_manager_id', 'reason', 'reassign_to']}
          />
          <BulkFields kind={kind} choice={choice} onChange={setChoice} errors={send.error?.fieldErrors ?? {}} />
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={send.isPending}>
              {t('look')}
            </Button>
          </DialogActions>
        </DialogForm>
      )}
    </Dialog>
  );
}

function Result({ result, onClose }: { result: Outcome; onClose: () => void }) {
  const t = useTranslations('employees.bulk');
  const refused = result.rows.filter(({ outcome }) => outcome === 'refused');
  return (
    <>
      <output>{t('result', result.counts)}</output>
      {refused.length > 0 && <BulkRows rows={refused} />}
      <DialogActions>
        <Button data-autofocus onClick={onClose}>
          {t('done')}
        </Button>
      </DialogActions>
    </>
  );
}
