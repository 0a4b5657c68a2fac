import { Button, CloseButton } from '@mantine/core';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import classes from './toasts.module.css';

type Toast = {
  text: string;
  /** Takes back what was done; offered for as long as the toast stays. */
  undo?: () => void;
};

const shown = 8_000;
const Show = createContext<(toast: Toast) => void>(() => {});

/** Says at the edge of the screen what was done: `toast({ text, undo })`. What went wrong is said where it happened.
 * The newest takes the place of the one before, so that Undo always means what was done last. */
export const useToast = () => useContext(Show);

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<(Toast & { key: number })[]>([]);
  const show = useCallback((toast: Toast) => setToasts([{ ...toast, key: Date.now() + Math.random() }]), []);
  const close = useCallback((key: number) => setToasts((old) => old.filter((one) => one.key !== key)), []);
  return (
    <Show value={show}>
      {children}
      <output className={classes['toasts']}>
        {toasts.map(({ key, ...toast }) => (
          <OneToast key={key} {...toast} onClose={() => close(key)} />
        ))}
      </output>
    </Show>
  );
}

function OneToast({ text, undo, onClose }: Toast & { onClose: () => void }) {
  const t = useTranslations('toasts');
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return undefined;
    const timer = setTimeout(onClose, shown);
    return () => clearTimeout(timer);
  });
  const hold = { onMouseEnter: () => setHeld(true), onMouseLeave: () => setHeld(false) };
  return (
    <div className={classes['toast']} {...hold} onFocus={() => setHeld(true)} onBlur={() => setHeld(false)}>
      <span>{text}</span>
      {undo && (
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => {
            undo();
            onClose();
          }}
        >
          {t('undo')}
        </Button>
      )}
      <CloseButton size="sm" variant="transparent" aria-label={t('close')} onClick={onClose} />
    </div>
  );
}
