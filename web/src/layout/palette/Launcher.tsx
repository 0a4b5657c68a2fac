import { Box, Flex, Kbd, UnstyledButton } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { Suspense, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import classes from './Launcher.module.css';
import { isMac } from './platform.ts';
import { useSingleKeys } from '../../ui/single-keys.ts';
import { useSingleKeyShortcuts } from './use-single-key-shortcuts.ts';
import { lazyPart } from '../../ui/lazy-part.ts';

const CommandPalette = lazyPart(() => import('./CommandPalette.tsx'), 'CommandPalette', 'palette');
const ShortcutHelp = lazyPart(() => import('./ShortcutHelp.tsx'), 'ShortcutHelp', 'palette');

type Open = 'palette' | 'help' | undefined;

/** The button of the command palette, and the shortcuts of every page. */
export function Launcher({ narrow = false }: { narrow?: boolean }) {
  const [open, setOpen] = useState<Open>();
  // Remembered here, since a dialog loads after the focus has left its opener.
  const focused = useRef<Element | null>(null);
  const show = (what: Open) => {
    focused.current = document.activeElement;
    setOpen(what);
  };
  const [singleKeys] = useSingleKeys();
  useHotkeys([['mod+K', () => show('palette')]], []);
  useSingleKeyShortcuts(singleKeys && open === undefined, {
    '/': () => show('palette'),
    '?': () => show('help'),
  });
  const leave = () => setOpen(undefined);
  const close = () => {
    leave();
    if (focused.current instanceof HTMLElement) focused.current.focus();
  };
  return (
    <>
      <SearchButton narrow={narrow} onClick={() => show('palette')} />
      <Suspense>
        {open === 'palette' && <CommandPalette opened onClose={close} onLeave={leave} />}
        {open === 'help' && <ShortcutHelp opened onClose={close} />}
      </Suspense>
    </>
  );
}

function SearchButton({ narrow, onClick }: { narrow: boolean; onClick: () => void }) {
  const t = useTranslations('app');
  const props = {
    onClick,
    'aria-haspopup': 'dialog',
    'aria-keyshortcuts': isMac ? 'Meta+K' : 'Control+K',
    c: 'var(--ink-2)',
    bdrs: 8,
  } as const;
  if (narrow)
    return (
      <UnstyledButton {...props}>
        <Flex component="span" align="center" justify="center" w={44} h={44}>
          <IconSearch size={20} stroke={1.7} aria-hidden />
          <span className="visually-hidden">{t('search')}</span>
        </Flex>
      </UnstyledButton>
    );
  return (
    <UnstyledButton {...props} className={classes['launcher']} mx={4} mb={10} bg="var(--sheet)" fz="0.8438rem">
      <Flex component="span" align="center" gap={9} h={32} pe={8} ps={10}>
        <IconSearch size={16} stroke={1.7} aria-hidden />
        <Box component="span" className="truncate" flex={1}>
          {t('search')}
        </Box>
        <Kbd aria-hidden>{isMac ? '⌘K' : `${t('control')} K`}</Kbd>
      </Flex>
    </UnstyledButton>
  );
}
