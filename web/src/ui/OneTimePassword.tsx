import { Box, Button, CopyButton, Group } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import { Moment } from './Dates.tsx';
import { Dialog, DialogActions } from './Dialog.tsx';

type Props = {
  /** The dialog is closed without it. */
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
            <Copy text={issued.one_time_password} />
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

function Copy({ text }: { text: string }) {
  const t = useTranslations('oneTimePassword');
  return (
    <CopyButton value={text}>
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
  );
}
