import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../../api/api-error.ts';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';

type Props = {
  /** The name of the company; undefined for the installation. */
  company: string | undefined;
  isPending: boolean;
  error: ApiError | null;
  onReset: () => Promise<unknown>;
};

/** Asks before resetting the brand, since the logo cannot be restored. */
export function Reset({ company, isPending, error, onReset }: Props) {
  const t = useTranslations('brand');
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        {t('reset.open')}
      </Button>
      <Dialog
        title={company === undefined ? t('reset.title') : t('reset.companyTitle', { name: company })}
        opened={opened}
        onClose={close}
      >
        <p>{t(company === undefined ? 'reset.body' : 'reset.companyBody')}</p>
        <ErrorNotice error={error} />
        <DialogActions>
          <Button variant="default" onClick={close}>
            {t('cancel')}
          </Button>
          <Button color="red" loading={isPending} onClick={() => void onReset().then(close, () => {})}>
            {t('reset.confirm')}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}
