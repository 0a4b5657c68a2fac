import { expect, test } from 'vitest';
import { wordsFor } from './words.ts';

const due = (date: string | null) => ({
  event: 'kpi_evaluation_assigned',
  variant: 'plain',
  params: { cycle: '2026-04-01', date },
});

test.each([
  ['en', '25 Apr 2026'],
  ['en-US', '25 Apr 2026'],
  ['de', '25.04.2026'],
  ['de-AT', '25.04.2026'],
  ['fr', '25 Apr 2026'],
])('a reader of %s reads days as %s, and names as they are', (locale, day) => {
  const { title, body } = wordsFor({ locale }, due('2026-04-25'));
  expect(body).toContain(` ${day}`);
  expect(title).toContain('2026-04-01');
});

test('an invalid day stays as it is, and a missing one is empty', () => {
  expect(wordsFor({ locale: 'en' }, due('soon')).body).toBe('Please complete your self-assessment by soon.');
  expect(wordsFor({ locale: 'en' }, due(null)).body).toBe('Please complete your self-assessment by .');
});

test.each([
  ['en', 1, '1 person takes part.'],
  ['en', 2, '2 people take part.'],
  ['en', 183, '183 people take part.'],
  ['en', 0, '0 people take part.'],
  ['de', 1, '1 Person nimmt teil.'],
  ['de', 2, '2 Personen nehmen teil.'],
])('in %s the verb agrees with a count of %i', (locale, count, body) => {
  const notification = { event: 'kpi_cycle_published', variant: 'plain', params: { cycle: '{count}', count } };
  expect(wordsFor({ locale }, notification)).toMatchObject({ title: expect.stringContaining('{count}'), body });
});

test('an event without texts in any language shows its name', () => {
  expect(wordsFor({ locale: 'de' }, { event: 'gone', variant: 'plain', params: {} })).toEqual({
    title: 'gone',
    body: '',
  });
});
