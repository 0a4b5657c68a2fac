import { Button, NativeSelect, Switch } from '@mantine/core';
import { useForm } from '@mantine/form';
import { conflictRules, dateFormats, employeeImports, entities } from '@tenure/contract';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { address } from '../../api/call.ts';
import { useSend } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { paths } from '../../paths.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { FileDrop } from '../../ui/FileDrop.tsx';
import { FormSheet } from '../../ui/FormSheet.tsx';
import { RecordSelect } from '../../ui/RecordSelect.tsx';
import classes from './imports.module.css';

type Conflict = (typeof conflictRules)[number];
type DateFormat = (typeof dateFormats)[number];
type Settings = {
  entity_id: number | undefined;
  create_departments: boolean;
  on_conflict: Conflict;
  date_format: DateFormat;
};

/** Uploads a file to be checked; nothing is written before the result of the check was confirmed. */
export function UploadForm({ onlyCompany }: { onlyCompany: number | undefined }) {
  const t = useTranslations('imports');
  const { can } = useSession();
  const [file, setFile] = useState<File>();
  const { send, form, check } = useUpload(file, onlyCompany);
  return (
    <FormSheet onSubmit={check}>
      <FileDrop label={t('file')} hint={t('fileHint')} accept=".csv,.xlsx" file={file} onFile={setFile} />
      <Samples />
      <ErrorNotice error={send.error} />
      {can('entities.view') && (
        <RecordSelect
          labelled
          label={t('companyForAll')}
          description={t('companyForAllHint')}
          list={entities.list}
          query={{ status: 'active' }}
          value={form.values.entity_id}
          onChange={(id) => form.setFieldValue('entity_id', id)}
        />
      )}
      {can('departments.create') && (
        <Switch
          {...form.getInputProps('create_departments', { type: 'checkbox' })}
          label={t('createDepartments')}
          description={t('createDepartmentsHint')}
        />
      )}
      <NativeSelect
        {...form.getInputProps('on_conflict')}
        label={t('onConflict')}
        data={conflictRules.map((rule) => ({ value: rule, label: t(`conflict.${rule}`) }))}
      />
      <NativeSelect
        {...form.getInputProps('date_format')}
        label={t('dateFormat')}
        description={t('dateFormatHint')}
        data={[...dateFormats]}
      />
      <div>
        <Button type="submit" loading={send.isPending} disabled={!file}>
          {t('check')}
        </Button>
        <span className={classes['aside']}>{t('nothingYet')}</span>
      </div>
    </FormSheet>
  );
}

function Samples() {
  const t = useTranslations('imports');
  return (
    <p className="muted">
      {t('sample')}{' '}
      {(['csv', 'xlsx'] as const).map((format) => (
        <a
          key={format}
          className={classes['sample']}
          href={address(employeeImports.sample, { query: { format } })}
          download
        >
          {t(`format.${format}`)}
        </a>
      ))}
    </p>
  );
}

function useUpload(file: File | undefined, onlyCompany: number | undefined) {
  const navigate = useNavigate();
  const send = useSend(employeeImports.create);
  const form = useForm<Settings>({
    initialValues: {
      entity_id: onlyCompany,
      create_departments: false,
      on_conflict: 'fail',
      date_format: 'YYYY-MM-DD',
    },
  });
  // The number of companies may be known only after the first picture of the form.
  if (onlyCompany !== undefined && form.values.entity_id === undefined && !form.isTouched('entity_id')) {
    form.setInitialValues({ ...form.values, entity_id: onlyCompany });
    form.reset();
  }
  const check = form.onSubmit(({ entity_id, ...settings }) => {
    if (!file) return;
    const defaults = entity_id === undefined ? {} : { entity_id };
    send.mutate(
      { file, body: { dry_run: true, ...settings, defaults } },
      { onSuccess: ({ data }) => void navigate({ to: paths.import, params: { id: String(data.id) } }) },
    );
  });
  return { send, form, check };
}
