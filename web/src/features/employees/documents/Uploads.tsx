import { Button, CloseButton, Progress } from '@mantine/core';
import { IconFile } from '@tabler/icons-react';
import { uploadLimits } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { FileDrop } from '../../../ui/FileDrop.tsx';
import { FileSize } from '../../../ui/FileSize.tsx';
import { LeaveGuard } from '../../../ui/LeaveGuard.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import { DetailFields } from './DetailFields.tsx';
import classes from './documents.module.css';
import { useUploads, type Details, type Upload } from './use-uploads.ts';

const { types, bytes } = uploadLimits.attachment;
const accept = types.map((type) => `.${type}`).join(',');

/** Takes files for a person: dropped or chosen, described, and then sent together. */
export function Uploads({ id }: { id: number }) {
  const t = useTranslations('profile.documents');
  const toast = useToast();
  const stored = (count: number) => toast({ text: t('stored', { count }) });
  const { uploads, add, change, remove, sendAll, sending } = useUploads(id, stored);
  const ready = uploads.filter(({ problem }) => problem === undefined).length;
  return (
    <div className={classes['uploads']}>
      <FileDrop
        label={t('drop')}
        hint={t('dropHint', { types: types.join(', '), most: bytes / 1_048_576 })}
        accept={accept}
        onFiles={add}
      />
      {uploads.length > 0 && (
        <>
          <ul aria-label={t('chosen')}>
            {uploads.map((upload) => (
              <ChosenFile
                key={upload.key}
                upload={upload}
                onChange={(details) => change(upload.key, details)}
                onRemove={() => remove(upload)}
              />
            ))}
          </ul>
          <div>
            <Button disabled={ready === 0} loading={sending} onClick={() => void sendAll()}>
              {t('send', { count: ready })}
            </Button>
          </div>
        </>
      )}
      <LeaveGuard when={ready > 0} />
    </div>
  );
}

type ChosenProps = { upload: Upload; onChange: (details: Partial<Details>) => void; onRemove: () => void };

function ChosenFile({ upload, onChange, onRemove }: ChosenProps) {
  const t = useTranslations('profile.documents');
  const { file, problem, progress, error } = upload;
  const errors = error?.fieldErrors ?? {};
  return (
    <li className={classes['chosen']}>
      <div className={classes['file']}>
        <IconFile size={18} aria-hidden />
        <bdi>{file.name}</bdi>
        <span className="muted">
          <FileSize bytes={file.size} />
        </span>
        <CloseButton
          aria-label={t(progress === undefined ? 'takeOff' : 'giveUp', { name: file.name })}
          onClick={onRemove}
        />
      </div>
      {problem === undefined ? (
        <>
          <ErrorNotice error={error} fields={['title', 'category', 'visibility']} />
          <div className={classes['details']}>
            <DetailFields details={upload} onChange={onChange} errors={errors} disabled={progress !== undefined} />
          </div>
        </>
      ) : (
        <p className={classes['problem']} role="alert">
          {problem}
        </p>
      )}
      {progress !== undefined && (
        <Progress value={progress * 100} aria-label={t('progress', { name: file.name })} size="sm" />
      )}
    </li>
  );
}
