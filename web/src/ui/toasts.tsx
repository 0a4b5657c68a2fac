import { Button, CloseButton, Flex } from '@mantine/core';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import classes from './toasts.module.css';

type Toast = {
  text: string;
  /** Undoes the action; offered while the toast is shown. */
  undo?: () => void;
  /** Called when the toast disappears or is replaced, so that it can no longer be undone. */
  onGone?: () => void;
};

const shown = 8_000;
const Show = createContext<(toast: Toast) => void>(() => {});

/**
 * Shows a confirmation of an action: `toast({ text, undo })`. Errors are shown in place instead. A new toast replaces
 * the previous one, so that Undo always refers to the latest action.
 */
export const useToast = () => useContext(Show);

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toast, setToast] = useState<Toast & { key: number }>();
  const current = useRef<typeof toast>(undefined);
  const replace = useCallback((next: typeof toast) => {
    const before = current.current;
    current.current = next;
    setToast(next);
    before?.onGone?.();
  }, []);
  const show = useCallback((next: Toast) => replace({ ...next, key: Date.now() + Math.random() }), [replace]);
  return (
    <Show value={show}>
      {children}
      <output className={classes['edge']}>
        {toast && <OneToast key={toast.key} text={toast.text} undo={toast.undo} onClose={() => replace(undefined)} />}
      </output>
    </Show>
  );
}

type ToastProps = { text: string; undo: Toast['undo'] | undefined; onClose: () => void };

/** On a phone the page makes room for a toast, so that none of its controls is covered. */
function makeRoom(toast: HTMLElement | null): void {
  document.documentElement.style.setProperty('--toast-room', toast && `${toast.offsetHeight + 16}px`);
}

function OneToast({ text, undo, onClose }: ToastProps) {
  const t = useTranslations('toasts');
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return undefined;
    const timer = setTimeout(onClose, shown);
    return () => clearTimeout(timer);
  });
  const hold = { onMouseEnter: () => setHeld(true), onMouseLeave: () => setHeld(false) };
  return (
    <Flex
      ref={makeRoom}
      {...hold}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      align="center"
      gap={12}
      maw="34rem"
      p="8px 10px 8px 16px"
      bd="1px solid var(--line)"
      bdrs={10}
      bg="var(--sheet)"
      style={{ boxShadow: '0 8px 28px rgb(0 0 0 / 0.18)', pointerEvents: 'auto' }}
    >
      <span>{text}</span>
      {undo && (
        <Button
          variant="subtle"
          size="compact-sm"
          flex="none"
          onClick={() => {
            undo();
            onClose();
          }}
        >
          {t('undo')}
        </Button>
      )}
      <CloseButton size="sm" iconSize={16} variant="transparent" aria-label={t('close')} onClick={onClose} />
    </Flex>
  );
}
