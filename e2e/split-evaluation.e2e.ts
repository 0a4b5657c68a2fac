import { expect, test } from 'vitest';
import { expectAccessible, scrollsSideways } from './accessible.ts';
import { journey } from './journey.ts';
import { clickAt } from './pointer.ts';
import { startDemo } from './service.ts';

/** A person changed department in the middle of a cycle; HR splits the evaluation on that day. */

const { service: demo, page, problems } = await journey('split-evaluation', startDemo);

const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const dialog = () => page.getByRole('dialog');
const cycle = 'Q3 2026';

/** Moves a person with an open evaluation to another department of the company, in the middle of the cycle. */
async function movePerson(): Promise<string> {
  return page.evaluate(async (name) => {
    const token = decodeURIComponent(/XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? '');
    const call = async (path: string, body?: object) => {
      const answer = await fetch(`/api${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { accept: 'application/json', 'content-type': 'application/json', 'X-XSRF-TOKEN': token },
        ...(body && { body: JSON.stringify(body) }),
      });
      if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
      return (await answer.json()).data;
    };
    const cycles = await call('/kpi-cycles?per_page=50');
    const { id, start_date: start } = cycles.find((one: { name: string }) => one.name === name);
    const [evaluation] = await call(`/kpi-evaluations?cycle_id=${id}&status=manager_review&per_page=1`);
    const departments = await call(`/kpi-cycles/${id}/departments?is_published=true&per_page=100`);
    const other = departments.find(
      (one: { entity_id: number; department_id: number }) =>
        one.entity_id === evaluation.entity_id && one.department_id !== evaluation.department_id,
    );
    await call(`/employees/${evaluation.employee_id}/job-history`, {
      effective_from: `${start.slice(0, 8)}16`,
      department_id: other.department_id,
      reporting_manager_id: null,
    });
    return evaluation.employee.name;
  }, cycle);
}

let person = '';

test('a person who moved is listed above the participants of the cycle', async () => {
  await page.goto('/tasks');
  await page.getByLabel('Work email').fill(demo.email);
  await page.getByLabel('Password', { exact: true }).fill(demo.password);
  await page.keyboard.press('Enter');
  await heading('My tasks');
  person = await movePerson();
  await page.goto(`/kpi/cycles`);
  await heading('KPI cycles');
  await clickAt(page.getByRole('link', { name: cycle, exact: true }));
  await heading(cycle);
  await clickAt(page.getByRole('tab', { name: 'Participants' }));
  await clickAt(button(`Decide for ${person}`));
  await dialog().waitFor();
  expect(await dialog().getByRole('radio').count()).toBe(3);
});

test('two parts say their days and weights before they begin', async () => {
  await clickAt(page.getByRole('radio', { name: 'Two parts, weighted by days' }));
  await page.getByText(/15 days, .*% of the result/).waitFor();
  await expectAccessible(page, 'kpi-cycle-split');
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await scrollsSideways(page)).toBe(false);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('textbox', { name: /Reason/ }).fill('Both teams saw a part of the work.');
  await clickAt(button('Save decision'));
  await page.getByText(`${person} has an evaluation in two parts.`).waitFor();
});

test('each part is listed, names its days and links to the other', async () => {
  await page.getByRole('searchbox').first().fill(person);
  await page.getByText('Part 2 of 2').waitFor();
  await clickAt(page.getByRole('row', { name: /Part 1 of 2/ }).getByRole('link', { name: person }));
  await page.getByText(/^This evaluation is part 1 of 2/).waitFor();
  await expectAccessible(page, 'kpi-evaluation-part');
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await scrollsSideways(page)).toBe(false);
  await page.setViewportSize({ width: 1440, height: 900 });
  await clickAt(page.getByRole('link', { name: /^Part 2: / }));
  await page.getByText(/^This evaluation is part 2 of 2/).waitFor();
});

test('nothing went wrong on the way', () => {
  expect(problems).toEqual([]);
});
