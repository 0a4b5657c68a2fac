import { useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import type { Preferences } from '@tenure/contract';
import { useChangePreferences } from '../api/preferences.ts';

type Appearance = NonNullable<Preferences['appearance']>;

/** Mantine's name of an appearance. */
export const schemeOf = (appearance: Appearance): MantineColorScheme => (appearance === 'system' ? 'auto' : appearance);

/** The colour scheme: light, dark or the system's. It applies at once and is stored in the account. */
export function useAppearance(): { appearance: Appearance; choose: (appearance: Appearance) => void } {
  // Suspending transitions needs a style element, which the content security policy forbids.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const change = useChangePreferences();
  return {
    appearance: colorScheme === 'auto' ? 'system' : colorScheme,
    choose: (appearance) => {
      setColorScheme(schemeOf(appearance));
      change({ appearance });
    },
  };
}
