import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useState, type FormEvent } from 'react';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../../api/api-error.ts';
import { useSend } from '../../api/query.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { FileDrop } from '../../ui/FileDrop.tsx';
import { FormSheet } from '../../ui/FormSheet.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { Notice } from '../../ui/Notice.tsx';
import { asItIs, asUtf8, type Readable } from './as-utf8.ts';
import { fileProblem } from './file-problem.ts';
import { FileGuide } from './FileGuide.tsx';
import { files, history, people, useImportKind } from './kinds.ts';
import { usualSettings, type Settings } from './settings.ts';
import { SettingsFields } from './SettingsFields.tsx';
import classes from './imports.module.css';

const ProfileSelect = lazyPart(() => import('./ProfileSelect.tsx'), 'ProfileSelect', 'import-profiles');
const ArchiveGuide = lazyPart(() => import('./ArchiveGuide.tsx'), 'ArchiveGuide');

/** The chosen file, why it would be refused, and its UTF-8 version once it is read. */
function useChosenFile(onChange: () => void) {
  const kind = useImportKind();
  const [{ file, isGuessed, isByPlace }, setFile] = useState<Partial<Readable>>({});
  const [reading, setReading] = useState<Promise<Readable>>();
  const problemOf = (chosen: File) => fileProblem(chosen, kind.maxMegabytes, kind === files);
  const onFile = (chosen: File | undefined) => {
    setFile(chosen ? { file: chosen } : {});
    setReading(undefined);
    onChange();
    // a file that is too large is refused without reading it
    if (!chosen || problemOf(chosen)) return;
    const readable = asUtf8(chosen).catch(() => asItIs(chosen));
    setReading(readable);
    void readable.then((read) => setFile((now) => (now.file === chosen ? read : now)));
  };
  return { file, isGuessed, isByPlace, reading, problem: file && problemOf(file), onFile };
}

/** Uploads a file for checking; no record is written before the result is confirmed. */
export function UploadForm({ onlyCompany }: { onlyCompany: number | undefined }) {
  const t = useTranslations('imports');
  const kind = useImportKind();
  const { api, sent, paths } = kind;
  const navigate = useNavigate();
  const send = useSend(api.create);
  const [changes, setChanges] = useState<Partial<Settings>>({});
  const [headings, setHeadings] = useState('');
  const header_row =
    (kind === people || kind === history) && /^[1-9][0-9]?$/.test(headings) ? { header_row: Number(headings) } : {};
  const [profile, setProfile] = useState<number>();
  // the profile sets the status and date format, unless others are selected
  const status = profile === undefined ? {} : { employment_lifecycle: undefined };
  const settings = { ...usualSettings, entity_id: onlyCompany, ...status, ...changes };
  const ofProfile = profile === undefined ? {} : { profile_id: profile, date_format: changes.date_format };
  const chosen = useChosenFile(send.reset);
  const { problem, reading } = chosen;
  const check = async (event: FormEvent) => {
    event.preventDefault();
    if (!reading) return;
    const { file } = await reading;
    send.mutate(
      { file, body: { dry_run: true, ...header_row, ...sent(settings), ...ofProfile } },
      { onSuccess: ({ data }) => void navigate({ to: paths.one, params: { id: String(data.id) } }) },
    );
  };
  return (
    <div className={classes['upload']}>
      <FormSheet onSubmit={(event) => void check(event)}>
        <ChosenFile {...chosen} error={send.error} />
        {kind === people && (
          <Suspense fallback={null}>
            <ProfileSelect value={profile} onChange={setProfile} />
          </Suspense>
        )}
        <SettingsFields settings={settings} onChange={(change) => setChanges((old) => ({ ...old, ...change }))} />
        {(kind === people || kind === history) && (
          <HeadingRow value={headings} error={send.error} onChange={setHeadings} />
        )}
        <div>
          <Button type="submit" loading={send.isPending} disabled={!reading || problem !== undefined}>
            {t('check')}
          </Button>
          <Text span className="muted" size="sm" ms={14}>
            {t('nothingYet')}
          </Text>
        </div>
      </FormSheet>
      {kind === files ? (
        <Suspense fallback={null}>
          <ArchiveGuide />
        </Suspense>
      ) : (
        <FileGuide />
      )}
    </div>
  );
}

type HeadingProps = { value: string; error: ApiError | null; onChange: (row: string) => void };

/** The number of the heading row, for a file whose headings are not recognised. */
function HeadingRow({ value, error, onChange }: HeadingProps) {
  const t = useTranslations('imports');
  return (
    <TextInput
      label={t('headingRow')}
      description={t('headingRowHint')}
      inputMode="numeric"
      maxLength={2}
      value={value}
      error={error?.fieldErrors['header_row']}
      onChange={(event) => onChange(event.currentTarget.value.trim())}
    />
  );
}

type ChosenProps = ReturnType<typeof useChosenFile> & { error: ApiError | null };

/** The file, and why it or its settings were refused. */
function ChosenFile({ file, isGuessed, isByPlace, problem, error, onFile }: ChosenProps) {
  const t = useTranslations('imports');
  const kind = useImportKind();
  const { type, maxMegabytes } = kind;
  const own = useTranslations(`imports.${type}`);
  return (
    <Stack gap={8}>
      <FileDrop
        label={t('dropFile')}
        hint={own('fileHint')}
        accept={kind === files ? '.zip' : '.csv,.txt,.xlsx'}
        file={file}
        onFile={onFile}
      />
      <output hidden={!problem}>
        {problem && (
          <Text span c="var(--danger)" size="sm">
            {t(`fileProblem.${problem}`, { most: maxMegabytes })}
          </Text>
        )}
      </output>
      {isGuessed && <Notice>{t('windowsText')}</Notice>}
      {isByPlace && <Notice>{t('columnsByPlace')}</Notice>}
      <ErrorNotice error={error} />
    </Stack>
  );
}
