import { Button, Group, Stack } from '@mantine/core';
import type { Employee } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { useSession } from '../../../api/session.tsx';
import { ConflictView } from '../../../ui/ConflictView.tsx';
import { useRegisterDraft, useStoredDraft } from '../../../ui/drafts.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { LeaveGuard } from '../../../ui/LeaveGuard.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import { FieldGrid } from '../form/FieldGrid.tsx';
import type { Section } from '../search.ts';
import { isPrivate, jobFieldNames, type Field, type FieldName } from '../form/fields.ts';
import { FieldValue } from '../form/FieldValue.tsx';
import { useFieldLabel } from '../form/labels.ts';
import { bodyOf } from '../form/values.ts';
import { AddressNow, useAddressNow } from './AddressNow.tsx';
import { useRecordSource, type RecordSource } from './record-source.ts';
import { useFirstField } from './use-first-field.ts';
import { useSectionEdit, type Saved, type Start } from './use-section-edit.ts';

type Props = {
  employee: Employee;
  section: Section;
  fields: readonly Field[];
  /** On the user's own profile. */
  own: boolean;
  onClose: () => void;
};

/** The form of one section, edited in place. */
export function SectionForm({ employee, section, fields, own, onClose }: Props) {
  const t = useTranslations('profile.edit');
  const title = useTranslations('person.section')(section);
  const { user } = useSession();
  const draft = `employees.${employee.id}.${section}`;
  const kept = useStoredDraft<Start>(draft, user?.id);
  const { source, ...addressNow } = useAddressNow(useRecordSource(employee.id, own, fields.some(isPrivate)));
  const edit = useSectionEdit(employee, fields, source, kept);
  const { form, start } = edit;
  useRegisterDraft(draft, () => (form.dirty ? ({ ...start, values: form.values } satisfies Start) : undefined));
  const saved = useSaved(source, onClose);
  const formRef = useFirstField();
  return (
    <form
      ref={formRef}
      aria-label={t('label', { section: title })}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        edit.save(saved);
      }}
    >
      <Stack gap={16}>
        {kept && <Notice kind="history">{t('kept')}</Notice>}
        <ErrorNotice error={edit.error} fields={Object.keys(form.errors)} />
        <FieldGrid fields={fields} form={form} employee={employee} />
        <Effects fields={fields} />
        {form.values.email !== start.base.email && <AddressNow employee={employee} {...addressNow} />}
        <Actions isPending={edit.isPending} onCancel={onClose} />
        <Versions edit={edit} employee={employee} fields={fields} onSaved={saved} />
        <LeaveGuard when={form.dirty && !edit.isPending} within={({ search }) => search['edit'] === section} />
      </Stack>
    </form>
  );
}

/** The effects of saving these fields. */
function Effects({ fields }: Pick<Props, 'fields'>) {
  const t = useTranslations('profile.edit');
  return (
    <>
      {fields.some(({ name }) => jobFieldNames.has(name)) && <p className="muted">{t('fromToday')}</p>}
      {fields.some(({ name }) => name === 'email') && <p className="muted">{t('emailSignsOut')}</p>}
    </>
  );
}

function Actions({ isPending, onCancel }: { isPending: boolean; onCancel: () => void }) {
  const t = useTranslations('profile.edit');
  return (
    <Group gap={8}>
      <Button type="submit" loading={isPending}>
        {t('save')}
      </Button>
      <Button variant="default" onClick={onCancel}>
        {t('cancel')}
      </Button>
    </Group>
  );
}

/** Closes the form, confirms the change and offers to undo it where possible. */
function useSaved(source: RecordSource, onClose: () => void) {
  const t = useTranslations('profile.edit');
  const toast = useToast();
  return ({ employee, before, changed, warnings }: Saved) => {
    onClose();
    if (changed.length === 0) return;
    const undo = () =>
      source.write(
        { ...bodyOf(before, changed), revision: employee.revision },
        { onRefused: () => toast({ text: t('notUndone') }) },
      );
    // A changed mail address ended the person's sessions, so there is no undo.
    toast({
      text: [t('saved'), ...warnings].join(' '),
      ...(!changed.includes('email') && { undo }),
    });
  };
}

type VersionsProps = {
  edit: ReturnType<typeof useSectionEdit>;
  employee: Employee;
  fields: readonly Field[];
  onSaved: (saved: Saved) => void;
};

function Versions({ edit, employee, fields, onSaved }: VersionsProps) {
  const label = useFieldLabel();
  const show = (name: string, value: string) => {
    const field = fields.find((one) => one.name === name);
    if (!field) return value;
    // The names for the ids are in the record of the version that the value comes from.
    const theirs = edit.conflict?.differences.find((one) => one.name === name)?.theirs === value;
    return <FieldValue field={field} value={value} employee={(theirs && edit.conflict?.theirs) || employee} />;
  };
  return (
    <ConflictView
      differences={edit.conflict?.differences ?? []}
      label={(name) => label(name as FieldName)}
      show={show}
      onResolve={(chosen) => edit.resolve(chosen, onSaved)}
      onCancel={edit.backToForm}
      saving={edit.isPending}
    />
  );
}
