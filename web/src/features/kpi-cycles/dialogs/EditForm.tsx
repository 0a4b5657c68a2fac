import { Button, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { ConflictView } from '../../../ui/ConflictView.tsx';
import { DialogActions, DialogForm } from '../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { LeaveGuard } from '../../../ui/LeaveGuard.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { OwnerField } from '../AboutFields.tsx';
import { openNames, type CycleField } from '../fields.ts';
import { CapFields, WindowFields } from '../RuleFields.tsx';
import { useCycleForm, type CycleForm } from '../use-cycle-form.ts';
import type { DialogProps } from './CycleDialogs.tsx';

type Props = DialogProps & { only?: 'owner' | undefined };

/** Everything that can still be changed once a cycle is published, or its owner alone. */
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
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={record.isPending}>
          {t('save')}
        </Button>
      </DialogActions>
      <CycleConflict record={record} />
      <LeaveGuard when={record.isDirty && !record.isPending} within={({ search }) => 'do' in search} />
    </DialogForm>
  );
}

export const capErrors = ['a', 'b', 'c', 'd'].map((key) => `band_caps.${key}`);

/** What somebody else changed meanwhile beside what was entered here. */
export function CycleConflict({ record }: { record: CycleForm }) {
  const t = useTranslations('kpiCycles');
  const show = (name: string, value: string): ReactNode =>
    value === 'true' ? t('on') : name === 'type' ? t(`type.${value as 'custom'}`) : value.replaceAll(';', ' · ');
  return (
    <ConflictView
      differences={record.differences}
      label={(name) => t(`field.${name as 'name'}`)}
      show={show}
      onResolve={record.resolve}
      onCancel={record.backToForm}
      saving={record.isPending}
    />
  );
}
