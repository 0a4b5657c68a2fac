import { Button } from '@mantine/core';
import { kpiCyclePeople, type CycleDepartment, type TemplateReplacement } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../../api/query.ts';
import { Dialog, DialogActions, DialogForm, FormActions } from '../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import { Reason } from '../dialogs/Reason.tsx';
import { TemplateSelect } from '../TemplateSelect.tsx';
import { Replacements } from './Replacements.tsx';

type Props = { row: CycleDepartment; onClose: () => void };

/** Replaces the template of a published department: selection, preview of each evaluation, change. */
export function ReplaceTemplate({ row, onClose }: Props) {
  const t = useTranslations('kpiCycleMend');
  const work = useReplacement(row, onClose);
  const title = t('replaceTitle', { name: row.department.name });
  return (
    <Dialog title={title} opened onClose={onClose} size={work.preview ? 'lg' : 'md'}>
      {work.preview ? (
        <Preview work={work} preview={work.preview} />
      ) : (
        <DialogForm onSubmit={() => work.look([])}>
          <p>{t('replaceText', { name: row.template?.name ?? '' })}</p>
          <ErrorNotice error={work.send.error} fields={['template_id']} />
          <TemplateSelect
            label={t('newTemplate')}
            labelled
            entityId={row.entity_id}
            value={work.template}
            onChange={work.setTemplate}
            error={work.send.error?.fieldErrors['template_id']}
          />
          <FormActions
            cancel={t('cancel')}
            onCancel={onClose}
            submit={t('look')}
            loading={work.send.isPending}
            disabled={work.template === undefined}
          />
        </DialogForm>
      )}
    </Dialog>
  );
}

type Work = ReturnType<typeof useReplacement>;

/** Requests a preview for each selection, and makes exactly the changes shown in it. */
function useReplacement({ cycle_id: id, department_id: departmentId }: CycleDepartment, onClose: () => void) {
  const t = useTranslations('kpiCycleMend');
  const toast = useToast();
  const send = useSend(kpiCyclePeople.replaceTemplate);
  const [template, setTemplate] = useState<number>();
  const [ticked, setTicked] = useState<readonly number[]>([]);
  const [reason, setReason] = useState('');
  const [preview, setPreview] = useState<TemplateReplacement>();
  const params = { id, departmentId };
  const look = (evaluations: readonly number[]) => {
    if (template === undefined) return;
    setTicked(evaluations);
    send.mutate(
      { params, body: { template_id: template, evaluation_ids: [...evaluations], dry_run: true } },
      { onSuccess: ({ data }) => setPreview(data) },
    );
  };
  const run = (shown: TemplateReplacement) => {
    const body = {
      template_id: shown.template.id,
      evaluation_ids: [...ticked],
      reason: reason.trim() || null,
      plan_hash: shown.plan_hash,
    };
    const onSuccess = ({ data: { counts, department } }: { data: TemplateReplacement }) => {
      toast({
        text: t('replaced', { name: department.name, count: counts.replaced + counts.cancelled, kept: counts.kept }),
      });
      onClose();
    };
    send.mutate({ params, body }, { onSuccess });
  };
  const back = () => {
    send.reset();
    setPreview(undefined);
  };
  return { send, template, setTemplate, ticked, reason, setReason, preview, look, run, back };
}

function Preview({ work, preview }: { work: Work; preview: TemplateReplacement }) {
  const t = useTranslations('kpiCycleMend');
  const { counts, warnings, evaluations } = preview;
  const { error, isPending } = work.send;
  const isChanged = error !== null && 'status' in error.fieldErrors;
  const changed = counts.replaced + counts.cancelled;
  return (
    <DialogForm onSubmit={() => work.run(preview)}>
      <ErrorNotice error={error} fields={['reason']} />
      {isChanged && (
        <Button variant="default" onClick={() => work.look(work.ticked)} loading={isPending}>
          {t('again')}
        </Button>
      )}
      <p>{t('consequences', counts)}</p>
      {warnings.map((warning) => (
        <Notice key={warning}>{warning}</Notice>
      ))}
      <Replacements
        rows={evaluations}
        total={counts.total}
        ticked={work.ticked}
        busy={isPending}
        onChange={work.look}
      />
      {counts.cancelled > 0 && <Reason value={work.reason} onChange={work.setReason} error={error} required />}
      <DialogActions>
        <Button variant="default" onClick={work.back}>
          {t('back')}
        </Button>
        <Button type="submit" loading={isPending} disabled={changed === 0 && counts.total > 0}>
          {t('replace')}
        </Button>
      </DialogActions>
    </DialogForm>
  );
}
