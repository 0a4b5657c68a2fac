import { expect, test } from 'vitest';
import { expectAccessible, scrollsSideways } from './accessible.ts';
import { openPage } from './browser.ts';
import { settled, signIn } from './demo-pages.ts';
import { journey } from './journey.ts';
import { clickAt } from './pointer.ts';
import { startDemo } from './service.ts';

const { service: demo, browser, page, problems } = await journey('dashboard', startDemo);

const numberOf = (text: string | null) => Number(/[\d,]+/.exec(text ?? '')?.[0].replaceAll(',', ''));
const home = page.getByRole('main');

/** The number that a link on Home shows, and the number that the list behind it shows. */
async function followed(name: RegExp): Promise<[shown: number, listed: number]> {
  const link = home.getByRole('link', { name }).first();
  const shown = numberOf(await link.textContent());
  await link.click();
  await page.waitForURL((url) => url.pathname !== '/');
  await settled(page);
  const lead = page.getByText(/^[\d,]+ (person|people|KPI evaluation|evaluation|probation|review)/).first();
  await lead.waitFor();
  const listed = numberOf(await lead.textContent());
  await page.goBack();
  await home.getByRole('region', { name: 'People', exact: true }).waitFor();
  return [shown, listed];
}

test('HR sees tasks and how things are, each chart also as a table', async () => {
  await signIn(page, demo, 'hr@northwind.example');
  await home.getByRole('region', { name: 'People', exact: true }).waitFor();
  await settled(page);
  expect(await home.getByRole('region', { name: 'To do' }).getByRole('listitem').count()).toBeGreaterThan(3);
  await expectAccessible(page, 'home-hr');
  const chart = home.getByRole('region', { name: 'Length of service' });
  await clickAt(chart.getByRole('button', { name: 'Table: Length of service' }));
  await chart.getByRole('row', { name: /^5\+ years/ }).waitFor();
  await chart.getByRole('button', { name: 'Chart: Length of service' }).click();
});

test.each([
  /Headcount$/,
  /Active$/,
  /Confirmed$/,
  /Suspended$/,
  /Joined this month$/,
  /Left this month$/,
  /1–3 years$/,
  /Part time$/,
  /Evaluations$/,
  /\d Manager review$/,
  /Band C$/,
  /Open disputes$/,
  /Ending within 30 days$/,
  /No review opened$/,
  /Northwind Retail$/,
])('the number of %s is what its list has', async (name) => {
  const [shown, listed] = await followed(name);
  expect(listed).toBe(shown);
});

test('a company narrows every number, and the address keeps it', async () => {
  await home.getByRole('combobox', { name: 'Company' }).click();
  await page.getByRole('option', { name: 'Northwind Logistics' }).click();
  await page.waitForURL('**/?entity_id=*');
  await page.reload();
  await home.getByRole('region', { name: 'Active people by department' }).waitFor();
  const [shown, listed] = await followed(/Active$/);
  expect([listed, shown < 100]).toEqual([shown, true]);
});

test('the reports follow head count through two years and hand out their numbers', async () => {
  await clickAt(page.getByRole('link', { name: 'Reports', exact: true }));
  await page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor();
  const movement = page.getByRole('region', { name: 'Headcount over time' });
  const slider = movement.getByRole('slider');
  await slider.focus();
  const last = await slider.getAttribute('aria-valuetext');
  await page.keyboard.press('ArrowLeft');
  expect(await slider.getAttribute('aria-valuetext')).not.toBe(last);
  await movement.getByRole('button', { name: 'Table: Headcount over time' }).click();
  expect(await movement.getByRole('row').count()).toBe(25);
  const waiting = page.waitForEvent('download');
  await movement.getByRole('button', { name: 'CSV: Headcount over time' }).click();
  expect((await waiting).suggestedFilename()).toBe('movement.csv');
  await settled(page);
  await expectAccessible(page, 'reports');
});

/** How far the parts of the home page moved while it loaded: the cumulative layout shift. */
async function shiftOf(name: string, width: number, height: number): Promise<number> {
  const own = await openPage(browser, demo.address, { viewport: { width, height } });
  await own.page.addInitScript(() => {
    const moved = globalThis as { shift?: number };
    moved.shift = 0;
    type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[])
        if (!entry.hadRecentInput) moved.shift = (moved.shift ?? 0) + entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await signIn(own.page, demo, `${name}@northwind.example`);
  await settled(own.page);
  await own.page.reload();
  await own.page.getByRole('region', { name: 'To do', exact: true }).waitFor();
  await settled(own.page);
  const shift = await own.page.evaluate(() => (globalThis as { shift?: number }).shift ?? 1);
  await own.page.context().close();
  return shift;
}

test.each(
  ['admin', 'hr', 'manager', 'employee'].flatMap((name) => [[name, 1_440, 900] as const, [name, 390, 844] as const]),
)('the home page of %s does not jump while it loads at %i × %i', async (name, width, height) => {
  expect(await shiftOf(name, width, height)).toBeLessThanOrEqual(0.05);
});

test('an employee sees their own tasks and reviews on a phone, and no figures of others', async () => {
  const own = await openPage(browser, demo.address, { viewport: { width: 390, height: 844 }, hasTouch: true });
  await signIn(own.page, demo, 'employee@northwind.example');
  await own.page.getByRole('region', { name: 'You', exact: true }).waitFor();
  await own.page.getByRole('region', { name: 'My team', exact: true }).waitFor();
  await settled(own.page);
  await expectAccessible(own.page, 'home-employee-phone');
  expect(await own.page.getByRole('region', { name: 'People', exact: true }).count()).toBe(0);
  expect(await own.page.getByRole('combobox', { name: 'Company' }).count()).toBe(0);
  expect(await scrollsSideways(own.page)).toBe(false);
  await own.page.goto('/reports');
  await settled(own.page);
  expect(own.problems.filter((problem) => !problem.includes('403'))).toEqual([]);
  await own.page.context().close();
});

test('HR announces something; an employee reads it, hides it, and arranges the page', async () => {
  await page.goto('/announcements');
  await clickAt(page.getByRole('button', { name: 'New announcement' }));
  const form = page.getByRole('dialog', { name: 'New announcement' });
  await form.getByLabel(/^Title/).fill('Fire drill');
  await form.getByLabel(/^Text/).fill('On Tuesday at 10:00, see https://northwind.example/drill.');
  await expectAccessible(page, 'announcement-form');
  await clickAt(form.getByRole('checkbox', { name: 'All companies' }));
  await clickAt(form.getByRole('button', { name: 'Publish announcement' }));
  await page.getByRole('link', { name: 'Fire drill' }).waitFor();
  await settled(page);
  await expectAccessible(page, 'announcements');
  const own = await openPage(browser, demo.address, { viewport: { width: 1_440, height: 900 } });
  await signIn(own.page, demo, 'employee@northwind.example');
  const drill = own.page.getByRole('article', { name: 'Fire drill' });
  await drill.getByRole('link', { name: 'https://northwind.example/drill' }).waitFor();
  await settled(own.page);
  await expectAccessible(own.page, 'home-employee');
  await clickAt(drill.getByRole('button', { name: 'Hide Fire drill' }));
  await drill.waitFor({ state: 'detached' });
  await clickAt(own.page.getByRole('button', { name: 'Arrange page' }));
  const dialog = own.page.getByRole('dialog', { name: 'Arrange your home page' });
  await clickAt(dialog.getByRole('checkbox', { name: 'Announcements' }));
  await clickAt(dialog.getByRole('button', { name: 'Move up: My team' }));
  await dialog.getByText(/^My team: position/).waitFor();
  await expectAccessible(own.page, 'home-arrange');
  await clickAt(dialog.getByRole('button', { name: 'Done' }));
  await own.page.reload();
  await own.page.getByRole('region', { name: 'To do', exact: true }).waitFor();
  expect(await own.page.getByRole('region', { name: 'Announcements' }).count()).toBe(0);
  expect(own.problems).toEqual([]);
  await own.page.context().close();
});

test('a manager sees the figures of the team, and nothing went wrong on the way', async () => {
  const own = await openPage(browser, demo.address);
  await signIn(own.page, demo, 'manager@northwind.example');
  const people = own.page.getByRole('region', { name: 'People', exact: true });
  await people.getByRole('link', { name: /Active$/ }).waitFor();
  expect(await people.getByText('12-month turnover').count()).toBe(0);
  expect([...own.problems, ...problems]).toEqual([]);
  await own.page.context().close();
});
