import { notificationEvents } from '@tenure/contract';
import { expect, test } from 'vitest';
import { languageNames, languageOf, textsOf } from './languages.ts';

const placeholders = (text: string) =>
  [...text.matchAll(/\{(\w+)(?:\}|, plural,)/g)].map((match) => match[1] ?? '').sort();
const english = textsOf(languageOf('en').language);

test.each(languageNames)('%s has every text of every event, with the placeholders of the English one', (name) => {
  const texts = textsOf(languageOf(name).language);
  expect(Object.keys(texts).sort()).toEqual(Object.keys(english).sort());
  for (const [key, { title, body }] of Object.entries(texts)) {
    expect([key, placeholders(title + body)]).toEqual([
      key,
      placeholders(english[key]?.title + (english[key]?.body ?? '')),
    ]);
    expect(title.length).toBeGreaterThan(0);
  }
});

test.each(languageNames)("mails in %s contain only the recipient's name", (name) => {
  const { mail, events } = languageOf(name).language;
  expect(placeholders(mail.greeting)).toEqual(['name']);
  for (const event of notificationEvents) expect([event, placeholders(events[event].kind)]).toEqual([event, []]);
});

test('every event can be read by whom it is about', () => {
  for (const event of notificationEvents) {
    expect(english[`${event}.plain`]).toBeDefined();
    expect(english[`${event}.own`]).toBeDefined();
  }
  expect(english['role_changed.own']).toEqual(english['role_changed.plain']);
  expect(english['employee_confirmed.own']).not.toEqual(english['employee_confirmed.plain']);
});

test.each([
  ['de', 'de'],
  ['de-AT', 'de'],
  ['DE-ch', 'de'],
  ['en-GB', 'en'],
  ['fr', 'en'],
  ['', 'en'],
  ['constructor', 'en'],
])('%j reads %s', (locale, name) => expect(languageOf(locale).name).toBe(name));
