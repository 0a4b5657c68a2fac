import { Button } from '@mantine/core';
import { employees } from '@tenure/contract';
import { useState } from 'react';
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
  const set = useSend(employees.setPicture);
  const remove = useSend(employees.removePicture);
  const params = { id: employee.id };
  const save = () => file && set.mutate({ params, file }, { onSuccess: onClose });
  return (
    <Dialog title={t('title', { name: employee.display_name })} opened onClose={onClose}>
      <ErrorNotice error={set.error ?? remove.error} />
      {file && (
        <div className={classes['picture']}>
          <Preview file={file} alt={t('preview')} />
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

/** A chosen file as the picture it will be. */
function Preview({ file, alt }: { file: File; alt: string }) {
  const show = (image: HTMLImageElement | null) => {
    if (!image) return undefined;
    const url = URL.createObjectURL(file);
    image.src = url;
    return () => URL.revokeObjectURL(url);
  };
  return <img ref={show} alt={alt} />;
}
