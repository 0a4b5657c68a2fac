import { DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from '@mantine/core';
import { expect, test } from 'vitest';
import { theme } from './theme.ts';

type Variables = Record<string, string>;

const block = (selector: string, variables: Variables, defaults: Variables): string => {
  const lines = Object.entries(variables).filter(([name, value]) => defaults[name] !== value);
  return `${selector} {\n${lines.map(([name, value]) => `  ${name}: ${value};`).join('\n')}\n}\n`;
};

test("theme-variables.css holds every variable in which the theme differs from the kit's own", async () => {
  const ours = defaultCssVariablesResolver(mergeMantineTheme(DEFAULT_THEME, theme));
  const kit = defaultCssVariablesResolver(DEFAULT_THEME);
  const css = [
    '/* Generated from theme.ts: npx vitest run -u web/src/ui/theme.test.ts */',
    block(':root', ours.variables, kit.variables),
    block(":root[data-mantine-color-scheme='light']", ours.light, kit.light),
    block(":root[data-mantine-color-scheme='dark']", ours.dark, kit.dark),
  ].join('\n');
  await expect(css).toMatchFileSnapshot('./theme-variables.css');
});
