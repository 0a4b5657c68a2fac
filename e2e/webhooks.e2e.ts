import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, expect, test } from 'vitest';
import { certificateFor } from '../server/src/testing/certificates.ts';
import { expectAccessible, expectAccessiblePage } from './accessible.ts';
import { signIn } from './demo-pages.ts';
import { journey } from './journey.ts';
import { clickAt } from './pointer.ts';
import { startDemo } from './service.ts';

/** Payroll gets an event through a webhook: from the empty page to a delivery that is sent again. */

type Got = { headers: Record<string, string>; text: string };
const got: Got[] = [];
const tls = certificateFor('localhost');
let status = 204;
const receiver = createServer(tls, (request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    got.push({ headers: request.headers as Got['headers'], text: Buffer.concat(parts).toString() });
    response.writeHead(status).end();
  });
}).listen(0, '127.0.0.1');
await once(receiver, 'listening');
const url = `https://localhost:${(receiver.address() as AddressInfo).port}/hooks`;
const folder = await mkdtemp(join(tmpdir(), 'tenure-hooks-'));
afterAll(async () => {
  receiver.close();
  receiver.closeAllConnections();
  await rm(folder, { recursive: true, force: true });
});
await writeFile(join(folder, 'authority.pem'), tls.cert);
const settings = { EGRESS_ALLOW: '127.0.0.1/32', NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem') };

const { page, problems, service: demo } = await journey('webhooks', () => startDemo(settings));
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
let secret = '';

/** Makes a change as the signed-in user, as the application does. */
const send = (path: string, body: object, method: 'POST' | 'PUT' = 'POST') =>
  page.evaluate(
    async ([to, body, how]) => {
      const token = decodeURIComponent(/XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? '');
      const headers = { Accept: 'application/json', 'Content-Type': 'application/json', 'X-XSRF-TOKEN': token };
      const answer = await fetch(`/api/${to}`, { headers, body, ...how });
      return ((await answer.json()) as { data: { id: number; revision: number } }).data;
    },
    [path, JSON.stringify(body), { method }] as const,
  );

test('without a service account the form leads to them', async () => {
  await signIn(page, demo);
  await clickAt(page.getByRole('link', { name: 'Webhooks', exact: true }));
  await page.getByText('No webhooks yet').waitFor();
  await expectAccessible(page, 'webhooks-none');
  await clickAt(page.getByRole('link', { name: 'Add webhook' }));
  await page.getByText('A webhook needs a service account').waitFor();
  await clickAt(page.getByRole('link', { name: 'Go to access tokens' }));
  await heading('Access tokens');
  const { id } = await send('service-accounts', { name: 'Payroll reader', owner_ids: [await ownId()] });
  await page.goto(`/settings/access-tokens?account=${id}`);
  await clickAt(button('Add role'));
  await page.getByLabel('Role').selectOption({ label: 'HR' });
  await clickAt(button('Save'));
  await page.getByText('Roles saved.').waitFor();
  await send(`service-accounts/${id}/tokens`, { name: 'Payroll', permissions: ['employees.view'], days: 30 });
});

const ownId = () =>
  page.evaluate(async () => {
    const answer = await fetch('/api/me', { headers: { Accept: 'application/json' } });
    return ((await answer.json()) as { data: { user: { id: number } } }).data.user.id;
  });

test('an administrator adds a webhook, whose secret is shown once', async () => {
  await page.goto('/settings/webhooks?webhook=new');
  await page.getByLabel('Name').fill('Payroll');
  await page.getByLabel('Address').fill('http://169.254.169.254/latest');
  await clickAt(button('Add webhook'));
  await page.locator('[aria-invalid=true]').first().waitFor();
  await expectAccessible(page, 'webhook-form');
  await page.getByLabel('Address').fill(url);
  await clickAt(button('Add webhook'));
  await dialog('Copy the secret now').waitFor();
  secret = (await dialog('Copy the secret now').locator('code').textContent()) ?? '';
  expect(secret).toMatch(/^whsec_/);
  await expectAccessible(page, 'webhook-secret');
  await clickAt(dialog('Copy the secret now').getByRole('button', { name: 'Done' }));
  await heading('Payroll');
  expect(await page.getByText(secret).count()).toBe(0);
  await expectAccessiblePage(page, 'webhook');
});

test('a test shows what the receiver answers', async () => {
  status = 404;
  await clickAt(button('Send test'));
  await dialog('Test').getByText('HTTP 404').waitFor();
  await expectAccessible(page, 'webhook-test');
  await page.keyboard.press('Escape');
  status = 204;
  await clickAt(button('Send test'));
  await dialog('Test')
    .getByText(/^The receiver accepted the test/)
    .waitFor();
  await page.keyboard.press('Escape');
});

test('a change of a department arrives, signed by the secret', async () => {
  await page.goto('/departments');
  const before = got.length;
  const first = await page.evaluate(async () => {
    const answer = await fetch('/api/departments?per_page=1', { headers: { Accept: 'application/json' } });
    return ((await answer.json()) as { data: { id: number; revision: number }[] }).data[0];
  });
  await send(`departments/${first?.id}`, { name: 'Wages', revision: first?.revision }, 'PUT');
  await expect.poll(() => got.length, { timeout: 15_000 }).toBeGreaterThan(before);
  const [one] = got.slice(before);
  const event = new Webhook(secret).verify(one?.text ?? '', one?.headers ?? {}) as { type: string };
  expect(event.type).toBe('department.updated');
});

test('the delivery shows its event, and is sent again', async () => {
  // the outcome is stored after the receiver has answered
  await expect
    .poll(async () => {
      await page.goto('/settings/webhooks');
      return page
        .getByText(/arrived,/)
        .first()
        .textContent();
    })
    .toMatch(/^[1-9]/);
  await expectAccessiblePage(page, 'webhooks');
  await clickAt(page.getByRole('link', { name: 'Payroll' }));
  await clickAt(page.getByRole('tab', { name: 'Deliveries' }));
  await clickAt(button(/^department\.updated/).first());
  await dialog('department.updated')
    .getByText(/"changed"/)
    .waitFor();
  await expectAccessible(page, 'webhook-delivery');
  const before = got.length;
  await clickAt(dialog('department.updated').getByRole('button', { name: 'Send again' }));
  await page.getByText('1 event is sent again.').waitFor();
  await expect.poll(() => got.length, { timeout: 15_000 }).toBeGreaterThan(before);
  expect(got.at(-1)?.headers['webhook-id']).toBe(got[before - 1]?.headers['webhook-id']);
  await expectAccessiblePage(page, 'webhook-deliveries');
  await page.getByText('1 event is sent again.').waitFor({ state: 'hidden' });
  await clickAt(page.getByRole('tab', { name: 'Events' }));
  await page.getByText('needs departments.view').first().waitFor();
  await expectAccessible(page, 'webhook-events');
});

test('everything since a moment is sent again', async () => {
  await clickAt(page.getByRole('tab', { name: 'Settings' }));
  await clickAt(button('Send again…'));
  const again = dialog('Send events to Payroll again');
  await again.getByLabel('Events').selectOption('since');
  await again.getByLabel(/^Day/).first().waitFor();
  await expectAccessible(page, 'webhook-again');
  const before = got.length;
  await clickAt(again.getByRole('button', { name: 'Send again' }));
  await page.getByText(/events? (is|are) sent again\.$/).waitFor();
  await expect.poll(() => got.length, { timeout: 30_000 }).toBeGreaterThan(before);
});

test('all events are a choice of their own', async () => {
  await clickAt(page.getByRole('radio', { name: 'Selected events' }));
  await page.getByRole('combobox', { name: /^Selected events/ }).click();
  await page.getByText('Companies and departments', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('Companies and departments', { exact: true }).waitFor({ state: 'hidden' });
  await expectAccessible(page, 'webhook-types');
  await clickAt(button('Save changes'));
  await page.locator('[aria-invalid=true]').first().waitFor();
  await clickAt(page.getByRole('radio', { name: 'All events' }));
});

test('it is paused and deleted', async () => {
  await clickAt(button('Pause…'));
  await clickAt(dialog('Pause Payroll?').getByRole('button', { name: 'Pause' }));
  await page.getByText('Payroll is paused.').waitFor();
  await clickAt(button('Delete…'));
  await clickAt(dialog('Delete Payroll?').getByRole('button', { name: 'Delete' }));
  await page.getByText('No webhooks yet').waitFor();
  expect(await page.getByText('Payroll', { exact: true }).count()).toBe(0);
});

test('a chat channel is added, tested and changed', async () => {
  await clickAt(page.getByRole('tab', { name: 'Chat channels' }));
  await page.getByText('No chat channels yet').waitFor();
  await expectAccessiblePage(page, 'chat-none');
  await clickAt(button('Add channel'));
  const form = dialog('Add channel');
  await form.getByLabel('Name').fill('HR team');
  await form.getByLabel('Webhook address').fill('https://169.254.169.254/latest');
  await clickAt(form.getByRole('button', { name: 'Add channel' }));
  await form.locator('[aria-invalid=true]').first().waitFor();
  await expectAccessible(page, 'chat-form');
  await form.getByLabel('Webhook address').fill(url);
  await clickAt(form.getByRole('button', { name: 'Add channel' }));
  await page.getByText('Channel added.').waitFor();
  const before = got.length;
  await clickAt(button(/^Test/));
  await dialog('Test of HR team').getByText('The channel accepted the message.').waitFor();
  expect(got.slice(before).map(({ text }) => (JSON.parse(text) as { text: string }).text)).toEqual([
    expect.stringContaining('*HR tasks*'),
  ]);
  await clickAt(dialog('Test of HR team').getByRole('button', { name: 'Done' }));
  await clickAt(button('HR team'));
  await dialog('HR team').getByLabel('Name').fill('People team');
  await clickAt(dialog('HR team').getByRole('button', { name: 'Save changes' }));
  await page.getByText('Changes saved.').waitFor();
  await page.getByText('Changes saved.').waitFor({ state: 'hidden' });
  await expectAccessiblePage(page, 'chat-channels');
});

test('the same in German', async () => {
  await send('profile', { locale: 'de' }, 'PUT');
  await page.reload();
  await page.getByRole('tab', { name: 'Chat-Kanäle' }).waitFor();
  await expectAccessible(page, 'chat-channels-german');
});

test('the channel is deleted, and no page had an error', async () => {
  await clickAt(button(/^Löschen …/));
  await clickAt(dialog('People team löschen?').getByRole('button', { name: 'Löschen' }));
  await page.getByText('Noch keine Chat-Kanäle').waitFor();
  expect(problems).toEqual([]);
});
