import { Textarea, TextInput } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { DialogForm, FormActions } from '../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { LeaveGuard } from '../../../ui/LeaveGuard.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { OwnerField } from '../AboutFields.tsx';
import { CycleConflict } from '../CycleConflict.tsx';
import { capErrors, openNames, type CycleField } from '../fields.ts';
import { CapFields, WindowFields } from '../RuleFields.tsx';
import { useCycleForm } from '../use-cycle-form.ts';
import type { DialogProps } from './dialog-props.ts';

type Props = DialogProps & { only?: 'owner' | undefined };

/** Edits what can change in a published cycle, or only its owner. */
export function EditForm({ cycle, onDone, onClose, only }: Props) {
  const t = useTranslations('kpiCycles');
  const names: readonly CycleField[] = only ? ['owner_id'] : openNames;
  const record = useCycleForm({ cycle, names, onSaved: ({ name }) => onDone(t('saved', { name })) });
  const { form } = record;
  return (
    <DialogForm onSubmit={record.save}>
      {record.isKept && <Notice kind="history">{t('kept')}</Notice>}
      <ErrorNotice error={record.error} fields={[...names, ...capErrors]} />
      {only ? (
        <OwnerField record={record} cycle={cycle} />
      ) : (
        <>
          {cycle.status === 'published' && <p className="muted">{t('editHint')}</p>}
          <TextInput {...form.getInputProps('name')} label={t('field.name')} maxLength={150} required />
          <WindowFields record={record} />
          <CapFields record={record} />
          <OwnerField record={record} cycle={cycle} />
          <Textarea {...form.getInputProps('description')} label={t('field.description')} maxLength={5_000} rows={2} />
        </>
      )}
      <FormActions cancel={t('cancel')} onCancel={onClose} submit={t('save')} loading={record.isPending} />
      <CycleConflict record={record} />
      <LeaveGuard when={record.isDirty && !record.isPending} within={({ search }) => 'do' in search} />
    </DialogForm>
  );
}
