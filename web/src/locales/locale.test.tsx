import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { guest, itemOf, listOf, serve, signedInAs } from '../testing/service.ts';
import { german as inGerman, start } from '../testing/start.tsx';
import { loadLanguage, locales, matchLocale } from './locales.ts';

const root = document.documentElement;
const shipped = locales.map(({ id, direction }) => [id, direction] as const);
const boot = readFileSync(join(import.meta.dirname, '../../public/boot.js'), 'utf8');

afterEach(() => {
  root.lang = 'en';
  root.dir = 'ltr';
});

/** Runs boot.js in a browser with these preferred languages; the page names those on offer. */
function firstPaint(languages: string[], offered: readonly (readonly [id: string, direction: string])[] = shipped) {
  document.head.innerHTML = offered.map(([id, dir]) => `<meta name="texts" lang="${id}" dir="${dir}">`).join('');
  serve({ 'GET /api/me': guest });
  vi.stubGlobal('navigator', { languages });
  // oxlint-disable-next-line typescript/no-implied-eval -- runs the script of the page as the page does
  new Function(boot)();
  window.earlySession = undefined;
  return [root.lang, root.dir];
}

describe('before the first paint', () => {
  test.each([
    ['without languages', [], 'en'],
    ['of a German browser', ['de-AT', 'en'], 'de'],
    ['of an English browser', ['en-US', 'de'], 'en'],
    ['whose first language is not available', ['tlh-Latn', 'DE-ch', 'en'], 'de'],
    ['without an available language', ['tlh', 'xx'], 'en'],
  ])('a first visit %s', (_what, languages, lang) => {
    expect(firstPaint(languages)).toEqual([lang, 'ltr']);
  });

  test('the choice on this device overrides the languages of the browser', () => {
    localStorage.setItem('tenure.locale', 'de');
    expect(firstPaint(['en-GB'])).toEqual(['de', 'ltr']);
  });

  test('a stored language that is no longer available is ignored', () => {
    localStorage.setItem('tenure.locale', 'xx');
    expect(firstPaint(['de'])).toEqual(['de', 'ltr']);
  });

  test('another language that the page offers is chosen, with its direction', () => {
    expect(firstPaint(['ar-EG', 'en'], [...shipped, ['ar', 'rtl']])).toEqual(['ar', 'rtl']);
  });
});

test('a language tag matches the available language that it starts with', () => {
  expect(['de', 'de-AT', 'DE-ch', 'en-GB', 'tlh', '', 'deu'].map(matchLocale)).toEqual([
    'de',
    'de',
    'de',
    'en',
    undefined,
    undefined,
    undefined,
  ]);
});

test('every language has its own name and formats', async () => {
  for (const { id, name, format } of locales) {
    expect(new Intl.DisplayNames([id], { type: 'language' }).of(id)).toBe(name);
    expect(matchLocale(format)).toBe(id);
    expect((await loadLanguage(id)).id).toBe(id);
  }
});

const people = {
  'GET /api/employees': listOf([]),
  'PUT /api/profile': itemOf({}),
};

describe('choosing a language', () => {
  test('in the user menu changes the page, is stored on the device and in the profile, and is sent with requests', async () => {
    const service = serve({ ...people, 'GET /api/me': signedInAs(['employees.view']) });
    const { user } = start('/employees');
    await user.click(await screen.findByRole('button', { name: /Hana Ito/ }));
    await user.click(await screen.findByRole('menuitemradio', { name: 'Deutsch' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Mitarbeitende' })).toBeDefined();
    expect(root.lang).toBe('de');
    expect(localStorage.getItem('tenure.locale')).toBe('de');
    await waitFor(() => expect(service.to('PUT /api/profile')[0]?.body).toEqual({ locale: 'de' }));
    expect(service.to('PUT /api/profile')[0]?.headers.get('Accept-Language')).toBe('de');
    await waitFor(() => expect(service.to('GET /api/employees').at(-1)?.headers.get('Accept-Language')).toBe('de'));
  });

  test('on the sign-in page changes no profile', async () => {
    const service = serve({ 'GET /api/me': guest });
    const { user } = start('/login');
    await user.click(await screen.findByRole('button', { name: 'Deutsch' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Anmelden' })).toBeDefined();
    expect(service.to('PUT /api/profile')).toEqual([]);
  });
});

describe('the language of the profile', () => {
  const german = signedInAs(['employees.view'], { locale: 'de-AT', locale_chosen: true });
  const ofBrowser = (...languages: string[]) => vi.spyOn(navigator, 'languages', 'get').mockReturnValue(languages);

  test('applies on a device without a choice of its own', async () => {
    const service = serve({ ...people, 'GET /api/me': german });
    start('/employees');
    expect(await screen.findByRole('heading', { level: 1, name: 'Mitarbeitende' })).toBeDefined();
    expect(localStorage.getItem('tenure.locale')).toBe('de');
    expect(service.to('PUT /api/profile')).toEqual([]);
  });

  test('does not override a choice on the device', async () => {
    localStorage.setItem('tenure.locale', 'en');
    serve({ ...people, 'GET /api/me': german });
    start('/employees');
    await screen.findByText('No employees yet');
    expect(screen.getByRole('heading', { level: 1, name: 'Employees' })).toBeDefined();
    expect(root.lang).toBe('en');
  });

  test('applies when it was chosen, English in a German browser too', async () => {
    ofBrowser('de-AT');
    root.lang = 'de';
    serve({ ...people, 'GET /api/me': signedInAs(['employees.view'], { locale: 'en', locale_chosen: true }) });
    start('/employees', inGerman);
    expect(await screen.findByRole('heading', { level: 1, name: 'Employees' })).toBeDefined();
  });

  test('that was not chosen does not override the language of the browser', async () => {
    ofBrowser('en-GB');
    serve({ ...people, 'GET /api/me': signedInAs(['employees.view'], { locale: 'de' }) });
    start('/employees');
    await screen.findByText('No employees yet');
    // waits as long as a change to German would take
    await loadLanguage('de');
    expect(root.lang).toBe('en');
    expect(localStorage.getItem('tenure.locale')).toBeNull();
  });

  test('that was not chosen stands in for one of the browser that is not available', async () => {
    ofBrowser('tlh');
    serve({ ...people, 'GET /api/me': signedInAs(['employees.view'], { locale: 'de' }) });
    start('/employees');
    expect(await screen.findByRole('heading', { level: 1, name: 'Mitarbeitende' })).toBeDefined();
  });

  test('is ignored when it is not available', async () => {
    serve({ ...people, 'GET /api/me': signedInAs(['employees.view'], { locale: 'tlh', locale_chosen: true }) });
    start('/employees');
    await screen.findByText('No employees yet');
    expect(root.lang).toBe('en');
  });
});
