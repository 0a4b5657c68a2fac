import { Box, Button, Group } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { CopyButton } from './CopyButton.tsx';
import { Moment } from './Dates.tsx';
import { Dialog, DialogActions } from './Dialog.tsx';

type Props = {
  /** The dialog is closed without a password. */
  issued: { name: string; one_time_password: string; expires_at: string } | undefined;
  onClose: () => void;
};

/** A one-time password to pass on to the person, shown only once. */
export function OneTimePassword({ issued, onClose }: Props) {
  const t = useTranslations('oneTimePassword');
  return (
    <Dialog title={t('title')} opened={issued !== undefined} onClose={onClose} showsOnce>
      {issued && (
        <>
          <p>{t('body', { name: issued.name })}</p>
          <Group
            justify="space-between"
            gap={12}
            p={12}
            ps={16}
            bd="1px solid var(--line)"
            bdrs={10}
            bg="var(--sunken)"
          >
            <Box component="code" ff="monospace" fz="1.0625rem" style={{ overflowWrap: 'anywhere' }}>
              {issued.one_time_password}
            </Box>
            <CopyButton text={issued.one_time_password} size="md" />
          </Group>
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
