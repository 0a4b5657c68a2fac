import { expect, test } from 'vitest';
import { expectAccessible, expectAccessibleAsIs, expectAccessiblePage } from './accessible.ts';
import { signIn } from './demo-pages.ts';
import { journey } from './journey.ts';
import { clickAt } from './pointer.ts';
import { startDemo } from './service.ts';

/** A person creates a calendar address, a calendar application reads it, and the person replaces and removes it. */

const { service: demo, page, problems } = await journey('calendar', startDemo);
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const dialog = (name: string) => page.getByRole('dialog', { name });
const addresses = (name: string) => page.getByRole('list', { name, exact: true });
let address = '';

/** Reads the address as a calendar application does: without cookies, and with the ETag of the previous answer. */
async function read(url: string, etag?: string) {
  const answer = await fetch(url, { headers: { Accept: 'text/calendar', ...(etag && { 'If-None-Match': etag }) } });
  return { status: answer.status, etag: answer.headers.get('etag') ?? '', text: await answer.text() };
}

const shownAddress = async (name: string) => {
  const made = (await dialog(name).locator('code').textContent()) ?? '';
  expect(made).toMatch(/\/calendar\/tnrf_[0-9A-Za-z]{49}\.ics$/);
  return `${demo.address}${new URL(made).pathname}`;
};

test('a manager makes an address with names, which is shown once', async () => {
  await signIn(page, demo, 'lead@northwind.example');
  await page.goto('/profile?part=security');
  await page.getByText('No calendar addresses.').waitFor();
  await clickAt(button('New calendar address'));
  await page.getByLabel('Show names').check();
  await page.getByText(/can read these names/).waitFor();
  await expectAccessiblePage(page, 'calendar-new');
  await clickAt(button('Create address'));
  address = await shownAddress('Copy the address now');
  await expectAccessiblePage(page, 'calendar-made');
  await clickAt(button('Done'));
  await page.getByText('Never used').waitFor();
  expect(await page.getByText('tnrf_').count()).toBe(0);
});

test('a calendar application reads it, and is spared what it has', async () => {
  const first = await read(address);
  expect(first.status).toBe(200);
  expect(first.text).toMatch(/^BEGIN:VCALENDAR\r\n[^]*END:VCALENDAR\r\n$/);
  expect(await read(address, first.etag)).toMatchObject({ status: 304, text: '' });
  await page.reload();
  await page.getByText(/Last used/).waitFor();
  await addresses('Calendar').scrollIntoViewIfNeeded();
  await expectAccessiblePage(page, 'calendar');
});

test('another address replaces it', async () => {
  await clickAt(button('New calendar address'));
  await clickAt(button('Create address'));
  const next = await shownAddress('Copy the address now');
  await clickAt(button('Done'));
  await clickAt(
    addresses('Calendar')
      .getByRole('button', { name: /^Remove/ })
      .last(),
  );
  await expectAccessibleAsIs(page, 'calendar-remove');
  await clickAt(dialog('Remove this calendar address?').getByRole('button', { name: 'Remove' }));
  await page.getByText('Calendar address removed.').waitFor();
  const statuses = new Set([(await read(address)).status, (await read(next)).status]);
  expect(statuses).toEqual(new Set([200, 404]));
});

test('in German it reads the same', async () => {
  await page.evaluate("localStorage.setItem('tenure.locale', 'de')");
  await page.reload();
  await addresses('Kalender').scrollIntoViewIfNeeded();
  await expectAccessible(page, 'calendar-de');
  await clickAt(button('Neue Kalenderadresse'));
  await page.getByLabel('Namen anzeigen').check();
  await expectAccessiblePage(page, 'calendar-new-de');
  await clickAt(button('Adresse erstellen'));
  await shownAddress('Kopieren Sie die Adresse jetzt');
  await expectAccessiblePage(page, 'calendar-made-de');
  await clickAt(button('Fertig'));
});

test('no page had an error or left the service', () => expect(problems).toEqual([]));
