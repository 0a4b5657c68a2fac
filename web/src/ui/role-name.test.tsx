import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderHook } from '@testing-library/react';
import { seededRoles } from '@tenure/contract';
import { IntlProvider } from 'use-intl';
import { expect, test } from 'vitest';
import { allTexts } from '../testing/texts.ts';
import { useRoleName, useSortedRoles, useWrittenRoles } from './role-name.ts';

const texts = { en: await allTexts('en'), de: await allTexts('de') };
const all = () => ({ nameOf: useRoleName(), sorted: useSortedRoles(), written: useWrittenRoles() });
const hooksIn = (locale: 'en' | 'de') =>
  renderHook(all, {
    wrapper: ({ children }) => (
      <IntlProvider locale={locale} messages={texts[locale]}>
        {children}
      </IntlProvider>
    ),
  }).result.current;

test.each([
  ['en' as const, ['Admin', 'HR', 'Manager', 'Team lead', 'Employee']],
  ['de' as const, ['Admin', 'HR', 'Führungskraft', 'Teamleitung', 'Mitarbeitende']],
])('in %s, seeded roles have words and other roles their own names', (locale, words) => {
  const { nameOf, written } = hooksIn(locale);
  expect(seededRoles.map((name) => nameOf(name))).toEqual(words);
  const others = ['Auditor', 'teamlead', 'TeamLead.x', 'constructor', ''];
  expect(others.map((name) => nameOf(name))).toEqual(others);
  expect(written('Auditor')).toBe('Auditor');
  expect(written('TeamLead|Auditor')).toContain(words[3]);
});

test('roles are sorted by the names that are shown', () => {
  const roles = ['Employee', 'TeamLead', 'Einkauf', 'Manager'].map((name) => ({ name }));
  const names = (locale: 'en' | 'de') =>
    hooksIn(locale)
      .sorted(roles)
      .map(({ name }) => name);
  expect(names('en')).toEqual(['Einkauf', 'Employee', 'Manager', 'TeamLead']);
  expect(names('de')).toEqual(['Einkauf', 'Manager', 'Employee', 'TeamLead']);
});

test('the service says the same words', () => {
  for (const locale of ['en', 'de'] as const) {
    const path = join(import.meta.dirname, `../../../contract/locales/${locale}/messages/roles.json`);
    const { names } = JSON.parse(readFileSync(path, 'utf8')) as { names: object };
    expect(names).toEqual(texts[locale].roleName);
  }
});

test('no component shows the stored name of a role', () => {
  const source = join(import.meta.dirname, '..');
  const files = globSync('**/*.{ts,tsx}', { cwd: source }).filter((path) => !path.includes('.test.'));
  const raw = files.flatMap((path) =>
    readFileSync(join(source, path), 'utf8')
      .split('\n')
      .filter((line) => /\b(role|like)\??\.name\b|\bview\.role\b/.test(line) && !line.includes('roleName('))
      .map((line) => `${path}: ${line.trim()}`),
  );
  expect(raw).toEqual([]);
});
