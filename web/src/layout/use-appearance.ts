import { useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import type { Preferences } from '@tenure/contract';
import { useChangePreferences } from '../api/preferences.ts';

type Appearance = NonNullable<Preferences['appearance']>;

/** What the kit calls an appearance. */
export const schemeOf = (appearance: Appearance): MantineColorScheme => (appearance === 'system' ? 'auto' : appearance);

/** Light, dark or as the system; a choice holds here at once and is kept with the account. */
export function useAppearance(): { appearance: Appearance; choose: (appearance: Appearance) => void } {
  // Suspending transitions needs a style element, which the content security policy refuses.
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
