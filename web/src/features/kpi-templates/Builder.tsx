import { Button, Group } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import type { KpiTemplate } from '@tenure/contract';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useSession } from '../../api/session.tsx';
import { paths } from '../../paths.ts';
import { useRegisterDraft, useStoredDraft } from '../../ui/drafts.ts';
import { LeaveGuard } from '../../ui/LeaveGuard.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { BuilderForm } from './BuilderForm.tsx';
import classes from './builder.module.css';
import { TemplateDialogs } from './dialogs.ts';
import { TemplateLead } from './TemplateLead.tsx';
import { TemplateMenu, type TemplateDialog } from './TemplateMenu.tsx';
import { useActivation } from './use-activation.ts';
import { useTemplateForm, type TemplateDraft, type TemplateForm } from './use-template-form.ts';
import { useNarrow, usePhone } from '../../ui/use-phone.ts';

const Preview = lazyPart(() => import('./Preview.tsx'), 'Preview', 'kpi-template-dialogs');
const TemplateConflict = lazyPart(() => import('./TemplateConflict.tsx'), 'TemplateConflict');
const formId = 'template';

type Props = { template?: KpiTemplate; onDeleted?: () => void };

/** The editor of a template: fields, scale and weighted items. */
export function Builder({ template, onDeleted }: Props) {
  const t = useTranslations('kpiTemplates');
  const [dialog, setDialog] = useState<TemplateDialog>();
  const [previews, setPreviews] = useState(false);
  const { record, isKept } = useKeptForm(template);
  const { form, isDirty, isPending, refusals } = record;
  const { activate } = useActivation(record, template);
  const container = useFirstWrong(refusals);
  const narrow = useNarrow();
  const save = <SaveButton record={record} template={template} />;
  const close = () => setDialog(undefined);
  const lead = template ? <TemplateLead template={template} /> : t('newLead');
  const asked = { dialog, template, onDeleted, onClose: close };
  return (
    <>
      <PageHeader title={template?.name ?? t('newTitle')} lead={lead}>
        <Actions
          {...{ template, isPending }}
          onPreview={() => setPreviews(true)}
          onActivate={() => void activate()}
          onDialog={setDialog}
        >
          {!narrow && save}
        </Actions>
      </PageHeader>
      <div className={classes['page']} ref={container}>
        <BuilderForm
          {...{ id: formId, record, template, isKept }}
          onDuplicate={() => setDialog('duplicate')}
          footer={narrow ? save : undefined}
        />
      </div>
      <LeaveGuard when={isDirty && !isPending} />
      <Suspense>
        {record.differences.length > 0 && <TemplateConflict record={record} />}
        <Preview opened={previews} onClose={() => setPreviews(false)} values={form.values} sign={record.sign} />
        <TemplateDialogs {...asked} />
      </Suspense>
    </>
  );
}

function SaveButton({ record, template }: { record: TemplateForm; template: KpiTemplate | undefined }) {
  const t = useTranslations('kpiTemplates');
  return (
    <Button
      type="submit"
      form={formId}
      variant={template?.status === 'active' ? 'filled' : 'default'}
      loading={record.isPending}
      disabled={template !== undefined && !record.isDirty}
    >
      {t(template ? 'save' : 'saveDraft')}
    </Button>
  );
}

type ActionsProps = {
  template: KpiTemplate | undefined;
  isPending: boolean;
  onPreview: () => void;
  /** Called without a confirmation: missing fields show errors, and archiving undoes the activation. */
  onActivate: () => void;
  onDialog: (dialog: TemplateDialog) => void;
  /** The save buttons, if they are not in the action bar. */
  children: ReactNode;
};

/** The actions on the template. */
function Actions({ template, isPending, onPreview, onActivate, onDialog, children }: ActionsProps) {
  const t = useTranslations('kpiTemplates');
  return (
    <Group gap={8} {...(usePhone() && { w: '100%' })}>
      <Button variant="default" leftSection={<IconEye size={16} aria-hidden />} onClick={onPreview}>
        {t('preview.open')}
      </Button>
      {children}
      {template?.status !== 'active' && (
        <Button disabled={isPending} onClick={onActivate}>
          {t('do.activate')}
        </Button>
      )}
      {template && <TemplateMenu template={template} onDialog={onDialog} without={['activate']} size={36} />}
    </Group>
  );
}

/** Confirms that the template was saved; a new one gets its own page. */
function useSaved(isNew: boolean) {
  const t = useTranslations('kpiTemplates');
  const toast = useToast();
  const navigate = useNavigate();
  return ({ id, name, status }: KpiTemplate) => {
    toast({ text: t(isNew && status === 'active' ? 'activated' : 'saved', { name }) });
    if (isNew) void navigate({ to: paths.kpiTemplate, params: { id: String(id) }, replace: true, ignoreBlocker: true });
  };
}

/** The form of a template; its input is kept as a draft when the session ends. */
function useKeptForm(template: KpiTemplate | undefined) {
  const { user } = useSession();
  const name = `kpi-templates.${template?.id ?? 'new'}`;
  const kept = useStoredDraft<TemplateDraft>(name, user?.id);
  const record = useTemplateForm({ template, kept, onSaved: useSaved(template === undefined) });
  const { form, base, isDirty } = record;
  useRegisterDraft(name, () => (isDirty ? ({ values: form.values, base } satisfies TemplateDraft) : undefined));
  return { record, isKept: kept !== undefined };
}

/** Focuses the first field with a message after each refusal. */
function useFirstWrong(refusals: number) {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (refusals > 0) container.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refusals]);
  return container;
}
