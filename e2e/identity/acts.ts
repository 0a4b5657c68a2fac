import type { Page } from 'playwright-core';
import type { Person } from './realm.ts';

/** Actions of people in the Keycloak journeys. */

export const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });

export type Answer = { status: number; body: { data: Record<string, unknown>; errors?: unknown } };
/** Calls the service with the session of a page. */
export const ask = (page: Page, method: string, path: string, body?: unknown): Promise<Answer> =>
  page.evaluate(
    async ([how, address, json]) => {
      const token = decodeURIComponent(/XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? '');
      const answer = await fetch(`/api/${address}`, {
        method: how,
        headers: { Accept: 'application/json', 'Content-Type': 'application/json', 'X-XSRF-TOKEN': token },
        ...(json !== null && { body: json }),
      });
      const text = await answer.text();
      return { status: answer.status, body: JSON.parse(text === '' ? '{}' : text) as Answer['body'] };
    },
    [method, path, body === undefined ? null : JSON.stringify(body)] as const,
  );

/** Signs in on the Keycloak page. */
export async function enterAtKeycloak(page: Page, { username, password }: Person) {
  await page.locator('#username').fill(username);
  await page.locator('#password').fill(password);
  await page.keyboard.press('Enter');
}
