import { Button } from '@mantine/core';
import { employees } from '@tenure/contract';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../../../api/query.ts';
import { Dialog, DialogActions } from '../../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { FileDrop } from '../../../../ui/FileDrop.tsx';
import classes from './steps.module.css';
import type { StepProps } from './WithReason.tsx';

/** Another picture, seen as it will look before it is sent; or none. */
export function Picture({ employee, onClose }: StepProps) {
  const t = useTranslations('steps.picture');
  const [file, setFile] = useState<File>();
  const preview = usePreview(file);
  const set = useSend(employees.setPicture);
  const remove = useSend(employees.removePicture);
  const params = { id: employee.id };
  const save = () => file && set.mutate({ params, file }, { onSuccess: onClose });
  return (
    <Dialog title={t('title', { name: employee.display_name })} opened onClose={onClose}>
      <ErrorNotice error={set.error ?? remove.error} />
      {preview !== undefined && (
        <div className={classes['picture']}>
          <img src={preview} alt={t('preview')} />
        </div>
      )}
      <FileDrop
        label={t('drop')}
        hint={t('hint')}
        accept="image/png,image/jpeg,image/webp"
        file={file}
        onFile={setFile}
      />
      <DialogActions>
        {employee.profile_picture_url !== null && (
          <Button
            variant="subtle"
            color="red"
            loading={remove.isPending}
            onClick={() => remove.mutate({ params }, { onSuccess: onClose })}
          >
            {t('remove')}
          </Button>
        )}
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button disabled={!file} loading={set.isPending} onClick={save}>
          {t('save')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** An address under which the browser shows a chosen file. */
function usePreview(file: File | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!file) return undefined;
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return file && url;
}
