import { notificationEvents } from '@tenure/contract';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isMessage, messageKeys, placesIn } from '../languages/languages.ts';
import { wordsFor } from './words.ts';

const keysOf = (event: string) =>
  messageKeys.filter((key) => key.startsWith(`events.${event}.`)).map((key) => key.replace(`events.${event}.`, ''));

test('each event has a name, a title and a body, and nothing else has', () => {
  for (const event of notificationEvents)
    expect([event, keysOf(event)]).toEqual([event, expect.arrayContaining(['kind', 'title', 'body'])]);
  const named = messageKeys.flatMap((key) => /^events\.(\w+)/.exec(key)?.[1] ?? []);
  expect([...new Set(named)].sort()).toEqual([...notificationEvents].sort());
});

// a variant for bundled notifications has the texts for several records (notifications/bundle.ts)
test('each variant has a title and a body, and code that asks for it', () => {
  const folder = join(import.meta.dirname, '..');
  const sources = globSync('**/*.ts', { cwd: folder, exclude: (file) => file.endsWith('.test.ts') })
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
  for (const event of notificationEvents)
    for (const variant of new Set(keysOf(event).flatMap((key) => /^(\w+)\./.exec(key)?.[1] ?? [])))
      expect([event, variant, keysOf(event), sources.includes(`'${variant.replace(/_several$/, '')}'`)]).toEqual([
        event,
        variant,
        expect.arrayContaining([`${variant}.title`, `${variant}.body`]),
        true,
      ]);
});

test("mails contain only the recipient's name", () => {
  expect(placesIn('en', 'mails.greeting')).toEqual(['name']);
  for (const event of notificationEvents) expect([event, placesIn('en', `events.${event}.kind`)]).toEqual([event, []]);
});

test('the person an event is about reads texts of its own where there are some', () => {
  expect(isMessage('events.role_changed.own.title')).toBe(false);
  const titles = ['own', 'plain'].map(
    (variant) => wordsFor({ locale: 'en' }, { event: 'employee_confirmed', variant, params: { person: 'Ann' } }).title,
  );
  expect(titles).toEqual(['Your employment was confirmed', 'Ann’s employment was confirmed']);
  expect(wordsFor({ locale: 'en' }, { event: 'role_changed', variant: 'own', params: {} }).title).toBe(
    'Your roles changed',
  );
});

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
  ['tlh', '25 Apr 2026'],
])('a reader of %s reads days as %s, and names as they are', (locale, day) => {
  const { title, body } = wordsFor({ locale }, due('2026-04-25'));
  expect(body).toContain(` ${day}`);
  expect(title).toContain('2026-04-01');
});

test('an invalid day stays as it is, and a missing one is empty', () => {
  expect(wordsFor({ locale: 'en' }, due('soon')).body).toBe('Complete your self-assessment. Due: soon.');
  expect(wordsFor({ locale: 'en' }, due(null)).body).toBe('Complete your self-assessment. Due: .');
});

const inDays = (days: number) => Temporal.Now.plainDateISO('UTC').add({ days }).toString();
const ending = (days: number, locale = 'en') =>
  wordsFor(
    { locale },
    { event: 'probation_ending_reminder', variant: 'plain', params: { person: 'Ann', date: inDays(days) } },
  ).title;

test('a day that has passed is in the past tense, whenever the notification was written', () => {
  expect(ending(-112)).toBe('Ann’s probation ended 112 days ago');
  expect(ending(-1)).toBe('Ann’s probation ended yesterday');
  expect(ending(0)).toBe('Ann’s probation ends today');
  expect(ending(3)).toMatch(/^Ann’s probation ends on \d+ \w+ \d{4}$/);
  expect(ending(-2, 'de')).toBe('Die Probezeit von Ann endete vor 2 Tagen');
});

test.each([
  ['confirm', 'Ann’s employment was confirmed', 'Effective 25 Apr 2026.'],
  ['extend', 'Ann’s probation was extended to 25 Apr 2026', 'The next review will be created before that date.'],
  ['terminate', 'Ann’s employment was ended', 'Last working day: 25 Apr 2026.'],
  [null, 'A decision was made on Ann’s probation', 'The review is complete.'],
])('the decision %s on a probation says what follows', (outcome, title, body) => {
  const params = { person: 'Ann', date: '2026-04-25', outcome };
  const notification = { event: 'probation_review_approved', variant: 'plain', params };
  expect(wordsFor({ locale: 'en' }, notification)).toEqual({ title, body });
});

test.each([
  ['en', 1, '{count}: 1 person is newly eligible'],
  ['en', 2, '{count}: 2 people are newly eligible'],
  ['en', 183, '{count}: 183 people are newly eligible'],
  ['en', 0, '{count}: 0 people are newly eligible'],
  ['de', 1, '{count}: 1 Person ist neu teilnahmeberechtigt'],
  ['de', 2, '{count}: 2 Personen sind neu teilnahmeberechtigt'],
])('in %s the verb agrees with a count of %i', (locale, count, title) => {
  const notification = { event: 'kpi_newly_eligible', variant: 'plain', params: { cycle: '{count}', count } };
  expect(wordsFor({ locale }, notification)).toMatchObject({ title });
});

test.each(['plain', 'stopped'])(
  'the %s publication of a cycle no longer says how many people it is about',
  (variant) => {
    // stored by an earlier release
    const params = { cycle: 'Q1', count: 7_531 };
    for (const locale of ['en', 'de']) {
      const { title, body } = wordsFor({ locale }, { event: 'kpi_cycle_published', variant, params });
      expect(title).toContain('Q1');
      expect(body).toMatch(/^[^\d{}]+$/);
    }
  },
);

test('an event without texts in any language shows its name', () => {
  expect(wordsFor({ locale: 'de' }, { event: 'gone', variant: 'plain', params: {} })).toEqual({
    title: 'gone',
    body: '',
  });
});
