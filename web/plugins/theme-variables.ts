import type { Plugin } from 'vite';

type Variables = Record<string, string>;

// The library has fourteen colours in ten shades and five variants each; these are the ones the application does not use.
const unused =
  /^--mantine-(color-(blue|cyan|grape|green|indigo|lime|orange|pink|teal|violet)-|color-\w+-outline|primary-color-\d|breakpoint-)/;

const block = (selector: string, variables: Variables): string => {
  const lines = Object.entries(variables).filter(([name]) => !unused.test(name));
  return `${selector} {\n${lines.map(([name, value]) => `  ${name}: ${value};`).join('\n')}\n}\n`;
};

/** The variables of the component library for the theme of the application. */
export async function themeVariables(): Promise<string> {
  const { DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } = await import('@mantine/core');
  const { theme } = await import('../src/ui/theme.ts');
  const { variables, light, dark } = defaultCssVariablesResolver(mergeMantineTheme(DEFAULT_THEME, theme));
  return [
    block(':root', variables),
    block(":root[data-mantine-color-scheme='light']", light),
    block(":root[data-mantine-color-scheme='dark']", dark),
  ].join('\n');
}

/**
 * Puts the variables of the component library before the application's own, which override some. In a browser the
 * library would add them as a style element, which the content security policy refuses.
 */
export const themeSheet = (): Plugin => ({
  name: 'tenure-theme-variables',
  enforce: 'pre',
  transform: {
    filter: { id: /\/ui\/tokens\.css$/ },
    handler: async (code) => ({ code: `${await themeVariables()}\n${code}`, map: null }),
  },
});
