import { Kbd, UnstyledButton } from '@mantine/core';
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

/** The way into the command palette, and the keys that work on every page. */
export function Launcher({ narrow = false }: { narrow?: boolean }) {
  const t = useTranslations('app');
  const [open, setOpen] = useState<Open>();
  // Kept here and not by the dialogs: they are loaded only when the focus has left already.
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
      <UnstyledButton
        className={classes[narrow ? 'compact' : 'launcher']}
        onClick={() => show('palette')}
        aria-haspopup="dialog"
        aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
      >
        <IconSearch size={narrow ? 20 : 16} stroke={1.7} aria-hidden />
        <span className={narrow ? 'visually-hidden' : classes['label']}>{t('search')}</span>
        {!narrow && <Kbd aria-hidden>{isMac ? '⌘K' : `${t('control')} K`}</Kbd>}
      </UnstyledButton>
      <Suspense>
        {open === 'palette' && <CommandPalette opened onClose={close} onLeave={leave} />}
        {open === 'help' && <ShortcutHelp opened onClose={close} />}
      </Suspense>
    </>
  );
}
