import { useMantineColorScheme } from '@mantine/core';
import { useEffect, useEffectEvent } from 'react';
import { usePreferences } from '../api/preferences.ts';
import { useSession } from '../api/session.tsx';
import { schemeOf } from './use-appearance.ts';
import { useDensityOfPage, useStoredDensity } from './use-density.ts';

const key = 'tenure.look-of';

/** Whose look this device took over last. */
function lastUser(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function remember(user: string): void {
  try {
    localStorage.setItem(key, user);
  } catch {
    // a browser that keeps nothing takes the look over each time
  }
}

/** On a device that somebody uses for the first time, it looks as they like it elsewhere. */
export function useOwnLook(): void {
  useDensityOfPage();
  const { user } = useSession();
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const [, setDensity] = useStoredDensity();
  const id = user ? String(user.id) : null;
  const preferences = usePreferences({ enabled: id !== null && lastUser() !== id });
  const take = useEffectEvent(() => {
    if (id === null || !preferences || lastUser() === id) return;
    remember(id);
    if (preferences.appearance) setColorScheme(schemeOf(preferences.appearance));
    setDensity(preferences.density ?? 'comfortable');
  });
  useEffect(() => {
    if (preferences) take();
  }, [preferences]);
}
