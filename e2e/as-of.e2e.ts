import { expect, test } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { journey } from './journey.ts';
import { clickAt } from './pointer.ts';
import { startDemo } from './service.ts';

/** HR opens the directory, a record and the chart as of three years ago, counts the people then, and comes back. */

const { service: demo, page, problems } = await journey('as-of', startDemo);

const then = Temporal.Now.plainDateISO('UTC').subtract({ years: 3 });
const day = then.toString();
const shown = then.toLocaleString('en-GB', { dateStyle: 'long' });
const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const button = (name: string | RegExp) => page.getByRole('button', { name });
const query = () => new URL(page.url()).searchParams;

type List = { data: { id: number; display_name: string; job_title: string | null }[]; meta: { total: number } };
const listOf = (path: string) => page.evaluate(async (where) => (await fetch(where)).json() as Promise<List>, path);

test('HR chooses a day among the filters of the directory', async () => {
  await page.goto('/login');
  await page.getByLabel('Work email').fill('hr@northwind.example');
  await page.getByLabel('Password', { exact: true }).fill(demo.password);
  await page.keyboard.press('Enter');
  await heading(/^Hello/).waitFor();
  await page.goto('/employees');
  await page.getByRole('row').nth(5).waitFor();
  await clickAt(button('More filters'));
  await page.getByRole('textbox', { name: 'As of' }).fill(day);
  await page.keyboard.press('Enter');
  await page.getByText(`Employees as of ${shown}`).waitFor();
  expect(query().get('as_of')).toBe(day);
  const { meta } = await listOf(`/api/employees?as_of=${day}`);
  const now = await listOf('/api/employees?left=0');
  expect(meta.total).not.toBe(now.meta.total);
  await page.getByText(`${meta.total} people`).waitFor();
  expect(await page.getByRole('checkbox').count()).toBe(0);
  await expectAccessible(page, 'directory as of a day');
});

test('a person opens with the job of that day, and leads back to the list of that day', async () => {
  const { data } = await listOf(`/api/employees?as_of=${day}`);
  const [first] = data as [List['data'][number]];
  await clickAt(page.getByRole('link', { name: first.display_name, exact: true }));
  await page.getByText(`Record as of ${shown}`).waitFor();
  await heading(first.display_name).waitFor();
  if (first.job_title) await page.getByText(first.job_title).first().waitFor();
  await expectAccessible(page, 'record as of a day');
  await clickAt(page.getByRole('link', { name: 'All employees' }));
  await page.getByText(`Employees as of ${shown}`).waitFor();
});

test('from the banner the directory of today comes back', async () => {
  await clickAt(button('Back to today'));
  await page.getByText(`Employees as of ${shown}`).waitFor({ state: 'detached' });
  expect(query().get('as_of')).toBeNull();
  await page.getByRole('checkbox').first().waitFor();
});

test('the chart and the headcount of that day are reached by their pages', async () => {
  await page.goto('/org-chart');
  await clickAt(button('As of…'));
  await page.getByRole('textbox', { name: 'Day' }).fill(day);
  await page.keyboard.press('Enter');
  await page.getByText(`Org chart as of ${shown}`).waitFor();
  await expectAccessible(page, 'chart as of a day');
  const { meta } = await listOf(`/api/employees?as_of=${day}`);
  await page.goto(`/reports?as_of=${day}`);
  const counts = page.getByRole('region', { name: 'Headcount by company' });
  await counts.getByText(`${meta.total} people employed on ${shown}.`).waitFor();
  await expectAccessible(page, 'headcount of a day');
  await clickAt(counts.getByRole('link').first());
  await page.getByText(`Employees as of ${shown}`).waitFor();
  expect(problems).toEqual([]);
});
