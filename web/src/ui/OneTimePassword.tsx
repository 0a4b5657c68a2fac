import { Button, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import { Moment } from './Dates.tsx';
import { Dialog, DialogActions } from './Dialog.tsx';
import classes from './OneTimePassword.module.css';

type Props = {
  /** Nothing is shown without one. */
  issued: { name: string; one_time_password: string; expires_at: string } | undefined;
  onClose: () => void;
};

/** A one-time password, shown this once, to be handed to the person. */
export function OneTimePassword({ issued, onClose }: Props) {
  const t = useTranslations('oneTimePassword');
  return (
    <Dialog title={t('title')} opened={issued !== undefined} onClose={onClose}>
      {issued && (
        <>
          <p>{t('body', { name: issued.name })}</p>
          <div className={classes['password']}>
            <code>{issued.one_time_password}</code>
            <CopyButton value={issued.one_time_password}>
              {({ copied, copy }) => (
                <Button
                  variant="default"
                  onClick={copy}
                  leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
                >
                  {t(copied ? 'copied' : 'copy')}
                </Button>
              )}
            </CopyButton>
          </div>
          <p className="muted">
            {t('until')} <Moment value={issued.expires_at} />
          </p>
        </>
      )}
      <DialogActions>
        <Button onClick={onClose}>{t('done')}</Button>
      </DialogActions>
    </Dialog>
  );
}
