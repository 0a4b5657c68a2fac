import { expect, test } from 'vitest';
import { expectAccessible, expectAccessibleAsIs } from './accessible.ts';
import { desktop } from './browser.ts';
import { settled, signIn } from './demo-pages.ts';
import { journey } from './journey.ts';
import { clickAt } from './pointer.ts';
import { startDemo } from './service.ts';

/** HR reassigns all responsibilities of a head of department who has resigned. */

const { service: demo, page, problems } = await journey('offboarding', startDemo);

type Row = { kind: string; id: number; name: string };
type Head = { id: number; name: string };

const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const dialog = (name: RegExp) => page.getByRole('dialog', { name });
const task = () => page.getByRole('link', { name: `Reassign ${leaver.name}’s responsibilities` });

/** Filters the tasks by the leaver; rows move until the list has been updated. */
async function searchTasks(): Promise<void> {
  await page.getByRole('searchbox').fill(leaver.name);
  await page.waitForURL(({ searchParams }) => searchParams.has('search'));
  await settled(page);
}

/** What the service answers to the session of the page. */
const read = <T>(path: string): Promise<T> =>
  page.evaluate(async (address) => ((await (await fetch(address)).json()) as { data: T }).data, `/api/${path}`);
const responsibilitiesOf = ({ id }: Head) => read<Row[]>(`employees/${id}/responsibilities?per_page=100`);
const some = ['department_managed', 'direct_report', 'evaluation', 'probation_review'];

let leaver: Head = { id: 0, name: '' };
let heirs: Head[] = [];
let rows: Row[] = [];

/** Selects the successor in the open dialog, and reassigns. */
async function reassign(title: RegExp, heir: Head): Promise<void> {
  const asked = dialog(title);
  const field = asked.getByRole('combobox', { name: /^New owner/ });
  await clickAt(field);
  await page.keyboard.type(heir.name);
  await clickAt(page.getByRole('option', { name: heir.name }).first());
  await clickAt(asked.getByRole('button', { name: 'Reassign', exact: true }));
  await asked.waitFor({ state: 'detached' });
}

test('HR finds a head who has people, a department and reviews', async () => {
  await signIn(page, demo, 'hr@northwind.example');
  await heading(/^Hello/).waitFor();
  const departments = await read<{ manager: Head | null; entity: { id: number } }[]>('departments?per_page=100');
  for (const { manager, entity } of departments) {
    if (!manager) continue;
    const found = await responsibilitiesOf(manager);
    if (found.length > 40 || !some.every((kind) => found.some((row) => row.kind === kind))) continue;
    [leaver, rows] = [manager, found];
    heirs = departments
      .filter((one) => one.entity.id === entity.id && one.manager && one.manager.id !== manager.id)
      .map((one) => one.manager as Head);
    break;
  }
  expect(rows.length).toBeGreaterThan(some.length);
});

test('the head resigns, and HR has a task to hand over', async () => {
  await page.goto(`/employees/${leaver.id}`);
  await clickAt(button('Actions'));
  await clickAt(page.getByRole('menuitem', { name: 'End employment…' }));
  await page.getByRole('textbox', { name: 'Last working day' }).fill('2099-06-30');
  await page.getByLabel(/^Reason/).fill('Moves to another city');
  await clickAt(button('End employment'));
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.goto('/tasks');
  await settled(page);
  await searchTasks();
  await clickAt(task());
  await heading(`${leaver.name}’s responsibilities`).waitFor();
  await settled(page);
  expect(new URL(page.url()).pathname).toBe(`/employees/${leaver.id}/offboarding`);
});

test('the department alone goes to another head', async () => {
  const department = rows.find(({ kind }) => kind === 'department_managed') as Row;
  await clickAt(button(`Reassign ${department.name}`));
  await dialog(/^Reassign 1 responsibility/)
    .getByText('1 department gets a new head, who also manages its people.')
    .waitFor();
  await expectAccessible(page, 'offboarding-one');
  await reassign(/^Reassign 1 responsibility/, heirs[0] as Head);
  await page.getByText('1 responsibility reassigned.').waitFor();
  await button(`Reassign ${department.name}`).waitFor({ state: 'detached' });
});

test('two that are chosen on a phone go together at once, whatever is said of the step before', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  const boxes = page.getByRole('checkbox', { name: /^Select Direct report/ });
  const before = await boxes.count();
  await clickAt(boxes.first());
  await clickAt(page.getByRole('checkbox', { name: /^Select Probation review/ }).first());
  // while the message of the previous step is still on the screen
  await expectAccessibleAsIs(page, 'offboarding-chosen-390');
  await clickAt(button('Reassign 2 selected…'));
  const asked = dialog(/^Reassign 2 responsibilities/);
  await asked.getByText(/^1 person gets a new manager today/).waitFor();
  await asked.getByText(/^1 probation review gets a new reviewer/).waitFor();
  await reassign(/^Reassign 2 responsibilities/, heirs[0] as Head);
  await page.getByText('2 responsibilities reassigned.').waitFor();
  await expect.poll(() => boxes.count()).toBe(before - 1);
  await page.setViewportSize(desktop);
});

test('all others go together, after the consequences of each kind were shown', async () => {
  const left = await responsibilitiesOf(leaver);
  expect(left).toHaveLength(rows.length - 3);
  await clickAt(button('Reassign all…'));
  const asked = dialog(new RegExp(`^Reassign ${left.length} responsibilities`));
  const reports = left.filter(({ kind }) => kind === 'direct_report').length;
  await asked.getByText(new RegExp(`^${reports} (person gets|people get) a new manager today`)).waitFor();
  await expectAccessible(page, 'offboarding-all');
  await reassign(new RegExp(`^Reassign ${left.length} responsibilities`), heirs[1] as Head);
  await page.getByText('Nothing left to reassign').waitFor();
  await expectAccessible(page, 'offboarding-nothing');
  expect(await responsibilitiesOf(leaver)).toEqual([]);
});

test('the task is gone, and the people have their new manager', async () => {
  await page.goto('/tasks');
  await settled(page);
  await searchTasks();
  await expect.poll(() => task().count()).toBe(0);
  const [first, other] = rows.filter(({ kind }) => kind === 'direct_report');
  await page.goto(`/employees/${(other ?? first)?.id ?? 0}`);
  await settled(page);
  await page
    .getByRole('link', { name: heirs[1]?.name ?? '' })
    .first()
    .waitFor();
});

test('no page had an error, broke the content security policy or left the service', () => {
  expect(problems).toEqual([]);
});
