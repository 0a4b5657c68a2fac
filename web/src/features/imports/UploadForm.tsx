import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { FileDrop } from '../../ui/FileDrop.tsx';
import { FormSheet } from '../../ui/FormSheet.tsx';
import { fileProblem } from './file-problem.ts';
import { FileGuide } from './FileGuide.tsx';
import classes from './imports.module.css';
import { useImportKind } from './kinds.ts';
import { usualSettings, type Settings } from './settings.ts';
import { SettingsFields } from './SettingsFields.tsx';

/** Uploads a file to be checked; nothing is written before the result of the check was confirmed. */
export function UploadForm({ onlyCompany }: { onlyCompany: number | undefined }) {
  const t = useTranslations('imports');
  const { api, sent, paths, type, mostMegabytes } = useImportKind();
  const own = useTranslations(`imports.${type}`);
  const navigate = useNavigate();
  const send = useSend(api.create);
  const [file, setFile] = useState<File>();
  const [changes, setChanges] = useState<Partial<Settings>>({});
  const settings = { ...usualSettings, entity_id: onlyCompany, ...changes };
  const problem = file && fileProblem(file, mostMegabytes);
  const check = (event: FormEvent) => {
    event.preventDefault();
    if (!file || problem) return;
    send.mutate(
      { file, body: { dry_run: true, ...sent(settings) } },
      { onSuccess: ({ data }) => void navigate({ to: paths.one, params: { id: String(data.id) } }) },
    );
  };
  return (
    <div className={classes['upload']}>
      <FormSheet onSubmit={check}>
        <div className={classes['fileField']}>
          <FileDrop
            label={t('dropFile')}
            hint={own('fileHint')}
            accept=".csv,.xlsx"
            file={file}
            onFile={(chosen) => {
              setFile(chosen);
              send.reset();
            }}
          />
          <output className={classes['missing']}>
            {problem && t(`fileProblem.${problem}`, { most: mostMegabytes })}
          </output>
          <ErrorNotice error={send.error} />
        </div>
        <SettingsFields settings={settings} onChange={(change) => setChanges((old) => ({ ...old, ...change }))} />
        <div>
          <Button type="submit" loading={send.isPending} disabled={!file || problem !== undefined}>
            {t('check')}
          </Button>
          <span className={classes['aside']}>{t('nothingYet')}</span>
        </div>
      </FormSheet>
      <FileGuide />
    </div>
  );
}
