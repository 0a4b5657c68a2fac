import { useLocalStorage } from '@mantine/hooks';
import type { Preferences } from '@tenure/contract';
import { useEffect } from 'react';
import { useChangePreferences } from '../api/preferences.ts';

type Density = NonNullable<Preferences['density']>;

export const useStoredDensity = () =>
  useLocalStorage<Density>({
    key: 'tenure.density',
    defaultValue: 'comfortable',
    getInitialValueInEffect: false,
  });

/** The default density of lists; stored in the account. */
export function useDensity(): { density: Density; choose: (density: Density) => void } {
  const [density, store] = useStoredDensity();
  const change = useChangePreferences();
  return {
    density,
    choose: (chosen) => {
      store(chosen);
      change({ density: chosen });
    },
  };
}

/** Sets the density of lists as an attribute for the style sheets. */
export function usePageDensity(): void {
  const [density] = useStoredDensity();
  useEffect(() => {
    document.documentElement.dataset['density'] = density;
  }, [density]);
}
