import { Button, Checkbox, Textarea, TextInput } from '@mantine/core';
import { announcements, type Announcement } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { call } from '../../api/call.ts';
import { useSend } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { AutoGrid } from '../../ui/AutoGrid.tsx';
import { CompaniesField } from '../../ui/CompaniesField.tsx';
import { RecordConflict } from '../../ui/RecordConflict.tsx';
import { DateField } from '../../ui/DateField.tsx';
import { DialogActions, DialogForm } from '../../ui/Dialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { LeaveGuard } from '../../ui/LeaveGuard.tsx';
import { useRecordForm, type RecordForm } from '../../ui/use-record-form.ts';
import { all, bodyOf, companiesOf, newTexts, textsOf } from './texts.ts';

type Props = {
  /** Absent for a new one. */
  announcement: Announcement | undefined;
  onSaved: (announcement: Announcement) => void;
  onDelete: (() => void) | undefined;
  onClose: () => void;
};

const fields = ['title', 'body', 'entity_ids', 'starts_on', 'ends_on'] as const;
const labels = {
  title: 'name',
  body: 'text',
  entity_ids: 'companies',
  starts_on: 'starts_on',
  ends_on: 'ends_on',
} as const;

/** The form of a new or existing announcement. */
export function AnnouncementForm({ announcement, onSaved, onDelete, onClose }: Props) {
  const t = useTranslations('announcements');
  const record = useAnnouncementForm(announcement, onSaved);
  const { form } = record;
  return (
    <DialogForm onSubmit={record.save}>
      <ErrorNotice error={record.error} fields={fields} />
      <TextInput label={t('name')} maxLength={120} required data-autofocus {...form.getInputProps('title')} />
      <Textarea
        label={t('text')}
        description={t('textHint')}
        rows={6}
        maxLength={4_000}
        required
        {...form.getInputProps('body')}
      />
      <Companies record={record} known={announcement?.entities ?? []} />
      <AutoGrid min="12rem" gap={14} align="end">
        <DayOf record={record} name="starts_on" />
        <DayOf record={record} name="ends_on" hint={t('endsHint')} />
      </AutoGrid>
      <DialogActions>
        {onDelete && (
          <Button variant="subtle" color="red" onClick={onDelete} mr="auto">
            {t('delete')}
          </Button>
        )}
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={record.isPending}>
          {t(announcement ? 'save' : 'create')}
        </Button>
      </DialogActions>
      <RecordConflict
        record={record}
        label={(name) => t(labels[name as 'title'])}
        show={(_name, value) => <bdi>{value}</bdi>}
      />
      <LeaveGuard when={record.isDirty && !record.isPending} within={({ search }) => 'dialog' in search} />
    </DialogForm>
  );
}

function useAnnouncementForm(announcement: Announcement | undefined, onSaved: Props['onSaved']) {
  const create = useSend(announcements.create);
  const update = useSend(announcements.update);
  const id = announcement?.id ?? 0;
  return useRecordForm<Announcement>({
    draft: `announcement.${announcement?.id ?? 'new'}`,
    start: announcement ? { texts: textsOf(announcement), revision: announcement.revision } : { texts: newTexts() },
    send: async (changed, revision) => {
      if (announcement)
        return (await update.mutateAsync({ params: { id }, body: { ...bodyOf(changed), revision } })).data;
      return (await create.mutateAsync({ body: { ...empty, ...bodyOf({ ...newTexts(), ...changed }) } })).data;
    },
    reread: async () => {
      const { data } = await call(announcements.get, { params: { id } });
      return { texts: textsOf(data), revision: data.revision };
    },
    onSaved,
  });
}

const empty = { title: '', body: '', starts_on: '', ends_on: '' };

type FieldProps = { record: RecordForm };

const errorOf = ({ form }: RecordForm, name: string) => {
  const error = form.errors[name];
  return typeof error === 'string' ? error : undefined;
};

function DayOf({ record, name, hint }: FieldProps & { name: 'starts_on' | 'ends_on'; hint?: string }) {
  const t = useTranslations('announcements');
  return (
    <DateField
      label={t(name)}
      {...(hint !== undefined && { description: hint })}
      required
      value={record.form.values[name] ?? ''}
      error={errorOf(record, name)}
      onChange={(day) => record.form.setFieldValue(name, day)}
    />
  );
}

/** Some companies, or all of them for users whose role is not limited to companies. */
function Companies({ record, known }: FieldProps & { known: readonly { id: number; name: string }[] }) {
  const t = useTranslations('announcements');
  const { user } = useSession();
  const mayAll = user?.role_assignments.some(({ scope, entity_ids: limit }) => scope === 'all' && limit === null);
  const value = record.form.values['entity_ids'] ?? '';
  const set = (text: string) => record.form.setFieldValue('entity_ids', text);
  return (
    <>
      <CompaniesField
        label={t('companies')}
        all={value === '' ? t('chooseCompanies') : ''}
        required={value !== all}
        disabled={value === all}
        known={known}
        value={companiesOf(value)}
        error={errorOf(record, 'entity_ids')}
        onChange={(ids) => set(ids.join(','))}
      />
      {(mayAll === true || value === all) && (
        <Checkbox
          label={t('allCompanies')}
          checked={value === all}
          onChange={({ currentTarget: { checked } }) => set(checked ? all : '')}
        />
      )}
    </>
  );
}
