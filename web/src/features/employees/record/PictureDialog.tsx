import { Button, Group } from '@mantine/core';
import { uploadLimits } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../../../api/api-error.ts';
import { apiBase } from '../../../api/base.ts';
import { BlobPicture } from '../../../ui/BlobPicture.tsx';
import { Dialog, DialogActions } from '../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { FileDrop } from '../../../ui/FileDrop.tsx';
import { Problem } from '../../../ui/Problem.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import { useFileCheck } from '../../../ui/use-file-check.ts';

type Props = {
  opened: boolean;
  title: string;
  /** The URL of the current picture. */
  url: string | null;
  error: ApiError | null;
  isPending: boolean;
  onSet: (file: File) => Promise<unknown>;
  onRemove: () => Promise<unknown>;
  onClose: () => void;
};

/** Sets or removes a picture: previews a new one before it is sent, and offers to undo a removal. */
export function PictureDialog({ opened, title, url, error, isPending, onSet, onRemove, onClose }: Props) {
  const t = useTranslations('picture');
  const { file, setFile, problem, set, remove } = usePicture({ url, onSet, onRemove, onClose });
  return (
    <Dialog title={title} opened={opened} onClose={onClose}>
      <ErrorNotice error={error} />
      <ChosenPicture file={file} problem={problem} onFile={setFile} />
      <DialogActions>
        {url !== null && (
          <Button variant="subtle" color="red" disabled={isPending} onClick={() => void remove()}>
            {t('remove')}
          </Button>
        )}
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button disabled={!file || problem !== undefined} loading={isPending} onClick={() => void set()}>
          {t('save')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** The chosen file and its actions; the dialog closes after a successful request. */
function usePicture({ url, onSet, onRemove, onClose }: Pick<Props, 'url' | 'onSet' | 'onRemove' | 'onClose'>) {
  const confirmRemoval = useRemovalToast(onSet);
  const check = useFileCheck(uploadLimits.picture);
  const [file, setFile] = useState<File>();
  const close = async (request: Promise<unknown>, done: () => void = () => {}) => {
    try {
      await request;
    } catch {
      // The dialog shows the error.
      return;
    }
    setFile(undefined);
    onClose();
    done();
  };
  const remove = async () => {
    const confirmed = await confirmRemoval(url);
    await close(onRemove(), confirmed);
  };
  return { file, setFile, problem: file && check(file), set: async () => file && close(onSet(file)), remove };
}

/** Round and cropped, as the picture is shown elsewhere. */
const preview = { width: 128, height: 128, borderRadius: '50%', objectFit: 'cover' } as const;

type ChosenProps = { file: File | undefined; problem: string | undefined; onFile: (file: File | undefined) => void };

/** The preview of a chosen picture, or its error. */
function ChosenPicture({ file, problem, onFile }: ChosenProps) {
  const t = useTranslations('picture');
  return (
    <>
      {file && problem === undefined && (
        <Group justify="center" wrap="nowrap">
          <BlobPicture content={file} alt={t('preview')} style={preview} />
        </Group>
      )}
      <FileDrop
        label={t('drop')}
        hint={t('hint')}
        accept="image/png,image/jpeg,image/webp"
        file={file}
        onFile={onFile}
      />
      {problem !== undefined && <Problem>{problem}</Problem>}
    </>
  );
}

/** Keeps the current picture in memory, confirms the removal and offers to undo it. */
function useRemovalToast(onSet: Props['onSet']) {
  const t = useTranslations('picture');
  const toast = useToast();
  return async (url: string | null) => {
    const before = url === null ? undefined : await pictureAt(url);
    const undo = () => before && void onSet(before).catch(() => toast({ text: t('notUndone') }));
    return () => toast({ text: t('removed'), ...(before && { undo }) });
  };
}

/** Reads the current picture, so that its removal can be undone. */
async function pictureAt(url: string): Promise<File | undefined> {
  try {
    const answer = await fetch(`${apiBase}${url}`, { credentials: 'include' });
    const content = await answer.blob();
    return answer.ok ? new File([content], `picture.${content.type.split('/')[1]}`, { type: content.type }) : undefined;
  } catch {
    return undefined;
  }
}
