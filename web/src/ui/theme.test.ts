import { DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from '@mantine/core';
import { expect, test } from 'vitest';
import { theme } from './theme.ts';

type Variables = Record<string, string>;

// Unused Mantine variables: colours and shades that no component here uses.
const unused =
  /^--mantine-(color-(blue|cyan|grape|green|indigo|lime|orange|pink|teal|violet)-|color-\w+-outline|primary-color-\d|breakpoint-)/;

const block = (selector: string, variables: Variables): string => {
  const lines = Object.entries(variables).filter(([name]) => !unused.test(name));
  return `${selector} {\n${lines.map(([name, value]) => `  ${name}: ${value};`).join('\n')}\n}\n`;
};

test('theme-variables.css matches the variables of the theme', async () => {
  const { variables, light, dark } = defaultCssVariablesResolver(mergeMantineTheme(DEFAULT_THEME, theme));
  const css = [
    '/* Generated from theme.ts: npx vitest run web/src/ui/theme.test.ts -u */',
    block(':root', variables),
    block(":root[data-mantine-color-scheme='light']", light),
    block(":root[data-mantine-color-scheme='dark']", dark),
  ].join('\n');
  await expect(css).toMatchFileSnapshot('./theme-variables.css');
});
