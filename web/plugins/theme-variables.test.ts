import { expect, test } from 'vitest';
import { theme } from '../src/ui/theme.ts';
import { themeVariables } from './theme-variables.ts';

test("the style sheet has the theme's variables, without colours that nothing uses", async () => {
  const css = await themeVariables();
  expect(css).toContain(`--mantine-color-lagoon-6: ${theme.colors?.['lagoon']?.[6]};`);
  for (const scheme of ['light', 'dark']) expect(css).toContain(`:root[data-mantine-color-scheme='${scheme}'] {`);
  expect(css).toContain('--mantine-color-red-filled:');
  expect(css).not.toContain('--mantine-color-violet-');
});
