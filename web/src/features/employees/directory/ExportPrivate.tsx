import { Button, Checkbox, Text } from '@mantine/core';
import { employees } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Dialog, DialogActions } from '../../../ui/Dialog.tsx';
import { exportAddress, formats } from '../../../ui/ExportMenu.tsx';

type Props = { query: Record<string, unknown>; onClose: () => void };

/** Asks which private details to export, and says that the export is recorded. */
export function ExportPrivate({ query, onClose }: Props) {
  const t = useTranslations('exportPrivate');
  const menu = useTranslations('exportMenu');
  const [bank, setBank] = useState(false);
  const reveal = bank ? 'bank' : 'private';
  return (
    <Dialog opened onClose={onClose} title={t('title')}>
      <Text size="sm">{t('explain')}</Text>
      <Checkbox
        label={t('bank')}
        description={t('bankHint')}
        checked={bank}
        onChange={(event) => setBank(event.currentTarget.checked)}
      />
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        {formats.map((format) => (
          <Button
            key={format}
            component="a"
            variant={format === 'csv' ? 'filled' : 'default'}
            href={exportAddress(employees.export, {}, { ...query, reveal, format })}
            download
            onClick={onClose}
          >
            {menu(format)}
          </Button>
        ))}
      </DialogActions>
    </Dialog>
  );
}
