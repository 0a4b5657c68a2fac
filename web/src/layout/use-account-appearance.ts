import { useMantineColorScheme } from '@mantine/core';
import { useEffect, useEffectEvent } from 'react';
import { usePreferences } from '../api/preferences.ts';
import { useSession } from '../api/session.tsx';
import { schemeOf } from './use-appearance.ts';
import { usePageDensity, useStoredDensity } from './use-density.ts';

const key = 'tenure.look-of';

/** The user whose appearance this device applied last. */
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
    // a browser without storage applies the appearance each time
  }
}

/** Applies the user's stored appearance when they first use a device. */
export function useAccountAppearance(): void {
  usePageDensity();
  const { user } = useSession();
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const [, setDensity] = useStoredDensity();
  const id = user ? String(user.id) : null;
  const preferences = usePreferences({ enabled: id !== null && lastUser() !== id });
  const apply = useEffectEvent(() => {
    if (id === null || !preferences || lastUser() === id) return;
    remember(id);
    if (preferences.appearance) setColorScheme(schemeOf(preferences.appearance));
    setDensity(preferences.density ?? 'comfortable');
  });
  useEffect(() => {
    if (preferences) apply();
  }, [preferences]);
}
