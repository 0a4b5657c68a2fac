import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useSession } from '../../api/session.tsx';
import { hasModifier } from '../../ui/has-modifier.ts';
import { navigationFor } from '../navigation.ts';

const sequenceTimeout = 1_200;

const ownKeys = 'textarea, select, [contenteditable], [role=dialog], [role=menu], [role=listbox], [role=combobox]';
const textInputs = 'input:not([type=checkbox], [type=radio], [type=button], [type=submit], [type=file])';

/** Does the element accept typed letters? */
const takesLetters = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.matches(textInputs) || target.closest(ownKeys) !== null);

type Keys = Record<string, () => void>;

/** Handles shortcuts without Control or Command: the given ones, and G with the letter of a page. */
export function useSingleKeyShortcuts(enabled: boolean, keys: Keys): void {
  const router = useRouter();
  const viewer = useSession();
  const goPressedAt = useRef(-Infinity);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (takesLetters(event.target) || hasModifier(event) || event.repeat) return;
    const key = event.key.toLowerCase();
    const isGoing = event.timeStamp - goPressedAt.current < sequenceTimeout;
    goPressedAt.current = key === 'g' ? event.timeStamp : -Infinity;
    const pages = navigationFor(viewer).flatMap(({ entries }) => entries);
    const page = isGoing ? pages.find(({ go }) => go === key) : undefined;
    const act = page ? () => void router.navigate({ to: page.to }) : keys[key];
    // A letter after G is consumed, even if no page has it.
    if (!act && !(isGoing && /^\p{L}$/u.test(key))) return;
    event.preventDefault();
    act?.();
  });
  useEffect(() => {
    if (!enabled) return undefined;
    // In the capture phase, before the shortcuts of a page, which ignore handled events.
    document.addEventListener('keydown', onKey, true);
    return () => document.removeEventListener('keydown', onKey, true);
  }, [enabled]);
}
