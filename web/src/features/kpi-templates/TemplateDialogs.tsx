import { Button } from '@mantine/core';
import { kpiTemplates, type KpiTemplateRow } from '@tenure/contract';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../../api/api-error.ts';
import { useSend } from '../../api/query.ts';
import { paths } from '../../paths.ts';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { useLastShown } from '../../ui/use-last-shown.ts';
import type { TemplateDialog } from './TemplateMenu.tsx';
import { DuplicateForm } from './DuplicateForm.tsx';
import { BulletList } from '../../ui/BulletList.tsx';

type Props = {
  dialog: TemplateDialog | undefined;
  /** Absent for a new template, which has no dialogs. */
  template: KpiTemplateRow | undefined;
  onDeleted?: (() => void) | undefined;
  onClose: () => void;
};

/** The confirmation dialogs of a template's status, copy and deletion. */
export function TemplateDialogs({ dialog, template, ...props }: Props) {
  const d = useTranslations('kpiTemplateDialogs');
  const shown = useLastShown(dialog && template ? { dialog, template } : undefined);
  if (!shown) return null;
  const { name } = shown.template;
  return (
    <Dialog opened={dialog !== undefined} onClose={props.onClose} title={d(`dialog.${shown.dialog}`, { name })}>
      <Content {...props} {...shown} />
    </Dialog>
  );
}

type ContentProps = Omit<Props, 'dialog' | 'template'> & { dialog: TemplateDialog; template: KpiTemplateRow };

function Content({ dialog, template, onDeleted, onClose }: ContentProps) {
  const d = useTranslations('kpiTemplateDialogs');
  const toast = useToast();
  const navigate = useNavigate();
  const done = (text: string, undo?: () => void) => {
    onClose();
    toast({ text, ...(undo && { undo }) });
  };
  switch (dialog) {
    case 'activate':
      return <Activate template={template} onDone={done} onClose={onClose} />;
    case 'archive':
      return <Archive template={template} onDone={done} onClose={onClose} />;
    case 'duplicate':
      return (
        <DuplicateForm
          template={template}
          onClose={onClose}
          onDone={(copy) => {
            done(d('duplicated', { name: copy.name }));
            void navigate({ to: paths.kpiTemplate, params: { id: String(copy.id) } });
          }}
        />
      );
    case 'delete':
      return (
        <Delete
          template={template}
          onClose={onClose}
          onDone={(text) => {
            done(text);
            onDeleted?.();
          }}
        />
      );
  }
}

type QuestionProps = {
  /** The consequences, one sentence each. */
  consequences: readonly string[];
  action: string;
  keep: string;
  danger?: boolean;
  error?: ApiError | null;
  isPending?: boolean;
  onConfirm: () => void;
  onClose: () => void;
  children?: ReactNode;
};

function Question({ consequences, action, keep, danger = false, error, isPending = false, ...props }: QuestionProps) {
  return (
    <>
      <ErrorNotice error={error} />
      <BulletList>
        {consequences.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </BulletList>
      <DialogActions>
        <Button variant="default" onClick={props.onClose} data-autofocus={danger || undefined}>
          {keep}
        </Button>
        <Button {...(danger && { color: 'red' })} loading={isPending} onClick={props.onConfirm}>
          {action}
        </Button>
      </DialogActions>
    </>
  );
}

type StepProps = {
  template: KpiTemplateRow;
  onDone: (text: string, undo?: () => void) => void;
  onClose: () => void;
};

function Activate({ template: { id, name, revision }, onDone, onClose }: StepProps) {
  const t = useTranslations('kpiTemplates');
  const d = useTranslations('kpiTemplateDialogs');
  const send = useSend(kpiTemplates.activate);
  const confirm = () =>
    send.mutate({ params: { id }, body: { revision } }, { onSuccess: () => onDone(t('activated', { name })) });
  return (
    <Question
      consequences={[d('activate.cycles'), d('activate.exact'), d('activate.lock')]}
      action={t('do.activate')}
      keep={t('cancel')}
      error={send.error}
      isPending={send.isPending}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}

function Archive({ template: { id, name, revision, usage }, onDone, onClose }: StepProps) {
  const t = useTranslations('kpiTemplates');
  const d = useTranslations('kpiTemplateDialogs');
  const toast = useToast();
  const archive = useSend(kpiTemplates.archive);
  const activate = useSend(kpiTemplates.activate);
  // The dialog is unmounted by then.
  const back = (now: number) =>
    void activate
      .mutateAsync({ params: { id }, body: { revision: now } })
      .catch((error: ApiError) => toast({ text: error.message }));
  const confirm = () =>
    archive.mutate(
      { params: { id }, body: { revision } },
      {
        onSuccess: ({ data }) => onDone(d('archived', { name }), () => back(data.revision)),
      },
    );
  return (
    <Question
      consequences={[
        d('archive.choice'),
        ...(usage.published_cycles > 0 ? [d('archive.running', { count: usage.published_cycles })] : []),
        d('archive.back'),
      ]}
      action={t('do.archive')}
      keep={t('cancel')}
      error={archive.error}
      isPending={archive.isPending}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}

function Delete({ template: { id, name, items_count }, onDone, onClose }: StepProps) {
  const t = useTranslations('kpiTemplates');
  const d = useTranslations('kpiTemplateDialogs');
  const send = useSend(kpiTemplates.delete);
  return (
    <Question
      danger
      consequences={[d('delete.forGood', { count: items_count }), d('delete.unused')]}
      action={d('delete.confirm')}
      keep={d('delete.keep')}
      error={send.error}
      isPending={send.isPending}
      onConfirm={() => send.mutate({ params: { id } }, { onSuccess: () => onDone(t('deleted', { name })) })}
      onClose={onClose}
    />
  );
}
