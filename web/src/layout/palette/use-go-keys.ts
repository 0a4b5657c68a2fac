import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useSession } from '../../api/session.tsx';
import { navigationFor } from '../navigation.ts';

const patience = 1_200;

const isTyping = ({ target }: KeyboardEvent) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.closest('[role=dialog]'));

/** "G" and then the letter of a page goes there. */
export function useGoKeys(enabled: boolean) {
  const router = useRouter();
  const { can } = useSession();
  const places = navigationFor(can).flatMap(({ entries }) => entries);
  useEffect(() => {
    if (!enabled) return;
    let pressedAt = -Infinity;
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      const key = event.key.toLowerCase();
      const place = event.timeStamp - pressedAt < patience && places.find(({ go }) => go === key);
      pressedAt = key === 'g' ? event.timeStamp : -Infinity;
      if (!place) return;
      event.preventDefault();
      void router.navigate({ to: place.to });
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });
}
