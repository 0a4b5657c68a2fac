import { expect, test } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { settled, signIn } from './demo-pages.ts';
import { journey } from './journey.ts';
import { clickAt } from './pointer.ts';
import { startDemo } from './service.ts';

/** A reviewer is on parental leave, a colleague reviews meanwhile, and the tasks come back with the return. */

const { service: demo, page, problems } = await journey('leave', startDemo);

type Person = { id: number; display_name: string; email: string };
type Open = { employee: { id: number; name: string } };

const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const field = (name: string) => page.getByRole('dialog').getByRole('textbox', { name });
const covered = () => page.getByRole('region', { name: 'Deputy' });
const reviewed = () => page.getByRole('link', { name: new RegExp(`Review .*${subject}`) }).first();

/** What the service answers to the session of the page. */
const read = <T>(path: string): Promise<T> =>
  page.evaluate(async (address) => ((await (await fetch(address)).json()) as { data: T }).data, `/api/${path}`);

let away: Person;
let deputy: Person;
let subject = '';

/** A day in the format of date fields, this many days from today. */
const day = (days: number) => Temporal.Now.plainDateISO().add({ days }).toString();

async function signOut(): Promise<void> {
  await clickAt(button(/@northwind\.example/));
  await clickAt(page.getByRole('menuitem', { name: 'Sign out' }));
  await page.waitForURL('**/login');
}

async function enterAs(email: string): Promise<void> {
  await signOut();
  await signIn(page, demo, email);
  await page.goto('/tasks');
  await heading('Tasks');
  await settled(page);
}

const personOf = async (email: string) =>
  (await read<Person[]>(`employees?search=${encodeURIComponent(email)}`)).find((one) => one.email === email) as Person;

test('HR finds a team lead with open reviews, and a manager as deputy', async () => {
  await signIn(page, demo, 'hr@northwind.example');
  await heading(/^Hello/);
  away = await personOf('lead@northwind.example');
  deputy = await personOf('manager@northwind.example');
  const open = await read<Open[]>(`kpi-evaluations?status=manager_review&reviewer_id=${away.id}`);
  const found = open.find(({ employee }) => employee.id !== deputy.id);
  subject = found?.employee.name ?? '';
  expect(subject).not.toBe('');
});

test('HR records the absence with a deputy', async () => {
  await page.goto(`/employees/${away.id}`);
  await heading(away.display_name);
  await clickAt(button('Actions'));
  await clickAt(page.getByRole('menuitem', { name: 'Record absence…' }));
  await field('First day').fill(day(-60));
  await field('Last day').fill(day(120));
  await page.getByRole('dialog').getByRole('combobox', { name: 'Deputy' }).fill(deputy.display_name);
  await clickAt(page.getByRole('option', { name: deputy.display_name }).first());
  await page.getByRole('checkbox', { name: 'KPI reviews' }).waitFor();
  await expectAccessible(page, 'absence');
  await clickAt(button('Save'));
  await page.getByText('The absence was saved.').waitFor();
  await page
    .getByText(/^Absent until/)
    .first()
    .waitFor();
  await expectAccessible(page, 'absent-person');
});

test('the deputy finds the reviews, and for whom they are', async () => {
  await enterAs(deputy.email);
  await covered().getByText(away.display_name).waitFor();
  await page.getByRole('searchbox').fill(subject);
  await page.waitForURL(({ searchParams }) => searchParams.has('search'));
  await settled(page);
  await reviewed().waitFor();
  await expectAccessible(page, 'tasks-of-deputy');
});

test('the one who is away does not have them', async () => {
  await enterAs(away.email);
  await page.goto(`/tasks?search=${encodeURIComponent(subject)}`);
  await settled(page);
  expect(await reviewed().count()).toBe(0);
});

test('HR enters the first day back', async () => {
  await signOut();
  await signIn(page, demo, 'hr@northwind.example');
  await page.goto(`/employees/${away.id}?tab=job`);
  await clickAt(page.getByRole('region', { name: 'Absences' }).getByRole('button', { name: 'End…' }));
  await expectAccessible(page, 'absence-end');
  await clickAt(button('End absence'));
  await page.getByText('The absence was ended.').waitFor();
});

test('the reviews are back, and one of them opens to be written', async () => {
  await enterAs(away.email);
  await page.goto(`/tasks?search=${encodeURIComponent(subject)}`);
  await settled(page);
  await expectAccessible(page, 'tasks-after-leave');
  await clickAt(reviewed());
  await heading(new RegExp(subject));
  await button(/^Submit review/).waitFor();
});

test('nothing went wrong on the way', () => {
  expect(problems).toEqual([]);
});
