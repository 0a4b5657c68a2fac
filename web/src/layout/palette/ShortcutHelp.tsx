import { Box, Flex, Kbd, Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useSession } from '../../api/session.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { navigationFor } from '../navigation.ts';
import { isMac } from './platform.ts';
import { useSingleKeys } from '../../ui/single-keys.ts';

type Props = { opened: boolean; onClose: () => void };

/** The list of shortcuts, with a switch for those without Control or Command. */
export function ShortcutHelp({ opened, onClose }: Props) {
  const t = useTranslations('shortcuts');
  const app = useTranslations('app');
  const [singleKeys, setSingleKeys] = useSingleKeys();
  return (
    <Dialog opened={opened} returnFocus={false} onClose={onClose} title={t('title')}>
      <Box component="dl" mb={18}>
        <Shortcut keys={[isMac ? '⌘' : app('control'), 'K']} label={t('palette')} />
        {singleKeys && <SingleKeys />}
        <Shortcut keys={['Esc']} label={t('close')} />
      </Box>
      <Switch
        checked={singleKeys}
        onChange={({ currentTarget: { checked } }) => setSingleKeys(checked)}
        label={t('singleKeys')}
        description={t('singleKeysHint')}
      />
    </Dialog>
  );
}

function SingleKeys() {
  const t = useTranslations('shortcuts');
  const nav = useTranslations('nav');
  const pages = navigationFor(useSession()).flatMap(({ entries }) => entries);
  return (
    <>
      <Shortcut keys={['/']} label={t('palette')} />
      <Shortcut keys={['?']} label={t('help')} />
      {pages.map(
        ({ key, go }) =>
          go && <Shortcut key={key} keys={['G', go.toUpperCase()]} label={t('go', { page: nav(key) })} />,
      )}
    </>
  );
}

const Shortcut = ({ keys, label }: { keys: readonly string[]; label: ReactNode }) => (
  <Flex align="center" justify="space-between" gap={16} mih={38} style={{ borderBlockEnd: '1px solid var(--line)' }}>
    <dt>{label}</dt>
    <Flex component="dd" gap={4}>
      {keys.map((key) => (
        <Kbd key={key}>{key}</Kbd>
      ))}
    </Flex>
  </Flex>
);
