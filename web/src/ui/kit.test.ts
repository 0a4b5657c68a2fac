import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const source = join(import.meta.dirname, '..');
const styles = join(import.meta.dirname, '../../../node_modules/@mantine/core/styles');
const imported = new Set(
  [...readFileSync(join(source, 'ui/kit.css'), 'utf8').matchAll(/styles\/(\w+)\.layer\.css/g)].map(([, name]) => name),
);

const used = globSync('**/*.{ts,tsx}', { cwd: source })
  .flatMap((file) => [
    ...readFileSync(join(source, file), 'utf8').matchAll(/import \{([^}]*)\} from '@mantine\/core'/g),
  ])
  .flatMap(([, names]) => (names ?? '').split(','))
  .map((name) => name.trim().replace(/^type /, ''))
  .filter((name) => existsSync(join(styles, `${name}.layer.css`)));

test('the kit is used', () => {
  expect(used).toContain('Button');
});

// A component without its style sheet is drawn wrong, and nothing else notices.
test.each([...new Set(used)].sort())('the style sheet of %s is imported', (name) => {
  expect(imported).toContain(name);
});

// Parts that components of the kit are made of.
const parts =
  'UnstyledButton Paper Popover CloseButton Group Loader Overlay ModalBase ScrollArea Input InlineInput ActionIcon Combobox Pill PillsInput Stack';

test('no style sheet is imported that nothing uses', () => {
  expect([...imported].filter((name) => !used.includes(name ?? '') && !parts.split(' ').includes(name ?? ''))).toEqual(
    [],
  );
});

test('no imported style sheet has vanished from the kit', () => {
  expect([...imported].filter((name) => !existsSync(join(styles, `${name}.layer.css`)))).toEqual([]);
});
