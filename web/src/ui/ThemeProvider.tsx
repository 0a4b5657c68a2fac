import {
  localStorageColorSchemeManager,
  MantineContext,
  MantineThemeProvider,
  useProviderColorScheme,
} from '@mantine/core';
import { useMemo, type ReactNode } from 'react';
import { theme } from './theme.ts';
import { useFocusAfterLoading } from './use-focus-after-loading.ts';

const root = () => document.documentElement;
const scheme = { defaultColorScheme: 'auto', forceColorScheme: undefined, getRootElement: root } as const;
const fixed = {
  getRootElement: root,
  classNamesPrefix: 'mantine',
  cssVariablesSelector: ':root',
  withStaticClasses: true,
};

const manager = localStorageColorSchemeManager({ key: 'tenure.scheme' });

/**
 * Provides components with the theme and the colour scheme. The library's own provider would also add variables and
 * classes as style elements, which the content security policy forbids; here they come from style sheets.
 */
export function ThemeProvider({ children }: { children: ReactNode }) {
  useFocusAfterLoading();
  const { colorScheme, setColorScheme, clearColorScheme } = useProviderColorScheme({ ...scheme, manager });
  const value = useMemo(
    () => ({ ...fixed, colorScheme, setColorScheme, clearColorScheme }),
    [colorScheme, setColorScheme, clearColorScheme],
  );
  return (
    <MantineContext value={value}>
      <MantineThemeProvider theme={theme}>{children}</MantineThemeProvider>
    </MantineContext>
  );
}
