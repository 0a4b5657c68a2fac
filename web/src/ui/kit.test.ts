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

test('Mantine is used', () => {
  expect(used).toContain('Button');
});

// A component without its style sheet renders wrongly, and no other test notices.
test.each([...new Set(used)].sort())('the style sheet of %s is imported', (name) => {
  expect(imported).toContain(name);
});

// Internal parts of Mantine components.
const parts =
  'UnstyledButton Paper Popover CloseButton Group Loader Overlay ModalBase ScrollArea Input InlineInput ActionIcon Combobox Pill PillsInput Stack';

test('every imported style sheet is used', () => {
  expect([...imported].filter((name) => !used.includes(name ?? '') && !parts.split(' ').includes(name ?? ''))).toEqual(
    [],
  );
});

test('every imported style sheet exists in Mantine', () => {
  expect([...imported].filter((name) => !existsSync(join(styles, `${name}.layer.css`)))).toEqual([]);
});
