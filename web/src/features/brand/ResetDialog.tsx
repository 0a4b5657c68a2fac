import { Button } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../../api/api-error.ts';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';

type Props = {
  opened: boolean;
  /** The name of the company; without one the installation is meant. */
  company: string | undefined;
  isPending: boolean;
  error: ApiError | null;
  onReset: () => Promise<unknown>;
  onClose: () => void;
};

/** Asks before the brand is reset: the logo cannot be restored. */
export function ResetDialog({ opened, company, isPending, error, onReset, onClose }: Props) {
  const t = useTranslations('brand');
  return (
    <Dialog
      title={company === undefined ? t('reset.title') : t('reset.companyTitle', { name: company })}
      opened={opened}
      onClose={onClose}
    >
      <p>{t(company === undefined ? 'reset.body' : 'reset.companyBody')}</p>
      <ErrorNotice error={error} />
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button color="red" loading={isPending} onClick={() => void onReset().then(onClose, () => {})}>
          {t('reset.confirm')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
