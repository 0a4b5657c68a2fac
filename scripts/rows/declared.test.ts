import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { sitesOf } from '../../server/src/testing/rows/sites.ts';
import { declaredRows } from './declared.ts';

const folder = mkdtempSync(join(realpathSync(tmpdir()), 'tenure-declared-'));
afterAll(() => rmSync(folder, { recursive: true }));

const text = `
interface RawBuilder<T> { readonly type?: T }
declare function sql<T = unknown>(texts: TemplateStringsArray, ...values: unknown[]): RawBuilder<T>;
type Row = { id: number; name?: string | null; state: 'open' | 'closed'; person: { id: number }[]; rest: Record<string, boolean> };
sql<Row>\`select 1\`;
const generic = <T>() => sql<T & { id: number }>\`select 2\`;
const inferred: RawBuilder<Row> = sql\`select 3\`;
const value: RawBuilder<Row> = sql\`json_build_object()\`;
export { generic, inferred, value };
`;

test('a row is what the compiler makes of its type; a row that is only inferred is found', () => {
  writeFileSync(join(folder, 'a.ts'), text);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { strict: true }, files: ['a.ts'] }));
  const { rows, inferred } = declaredRows(sitesOf([{ path: 'a.ts', text }]), join(folder, 'tsconfig.json'), folder);
  const one = { kinds: ['number'] };
  expect(rows[0]?.row).toEqual({
    kinds: ['object'],
    fields: {
      id: { optional: false, type: one },
      name: { optional: true, type: { kinds: ['null', 'string'] } },
      state: { optional: false, type: { kinds: ['string'], texts: ['closed', 'open'] } },
      person: {
        optional: false,
        type: { kinds: ['array'], of: { kinds: ['object'], fields: { id: { optional: false, type: one } } } },
      },
      rest: { optional: false, type: { kinds: ['object'], fields: {}, others: { kinds: ['boolean'] } } },
    },
  });
  expect(rows.map(({ isGeneric }) => isGeneric)).toEqual([false, true]);
  expect(inferred).toEqual([`${folder}/a.ts:7`]);
});
