import { expect, test } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { signIn } from './demo-pages.ts';
import { journey } from './journey.ts';
import { clickAt } from './pointer.ts';
import { startDemo } from './service.ts';

/** HR builds a template, corrects its weights, activates it, copies it, and imports others. */

const { service: demo, page, problems } = await journey('kpi-templates', startDemo);

const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const field = (name: string | RegExp) => page.getByRole('textbox', { name, exact: typeof name === 'string' });
const dialog = (name: string) => page.getByRole('dialog', { name });
const toast = (text: string) => page.getByText(text, { exact: false }).first().waitFor();
const meter = () => page.getByRole('region', { name: 'Weights' });
const items = () => field(/^Name of Item/).evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));

const expectFocus = async (label: string) => {
  const focused = () => page.evaluate("document.activeElement?.getAttribute('aria-label')");
  await expect.poll(focused, { timeout: 5_000 }).toBe(label);
};

async function addItem(name: string, weight: string): Promise<void> {
  await clickAt(button('Add item'));
  await page.keyboard.type(name);
  await page.keyboard.press('Tab');
  await page.keyboard.type(weight);
}

test('HR opens the templates and begins a new one', async () => {
  await signIn(page, demo, 'hr@northwind.example');
  await clickAt(page.getByRole('link', { name: 'KPI templates' }));
  await heading('KPI templates');
  await page.getByRole('link', { name: 'New template' }).first().click();
  await heading('New KPI template');
  await field(/^Name/).first().fill('Field engineer');
  await field('Job title').fill('Engineer');
  for (const name of ['Orders done', 'Care for tools', 'Reports in time']) await addItem(name, '30');
  expect(await items()).toEqual(['Orders done', 'Care for tools', 'Reports in time']);
});

test('weights that do not add up are shown and refused', async () => {
  await meter().getByText('10% unallocated').waitFor();
  await button('Activate').click();
  await page.getByRole('alert').getByText('they must add up to exactly 100.00').waitFor();
  await expectAccessible(page, 'kpi-template-refused');
  expect(page.url()).toContain('/kpi/templates/new');
});

test('they are distributed, and one item is measured', async () => {
  await button('Distribute evenly').first().click();
  await meter().getByText('Weights add up to 100%').waitFor();
  expect(await field('Weight of Item 1 in percent').inputValue()).toBe('33.34');
  if ((await button('Details of Orders done').getAttribute('aria-expanded')) === 'false')
    await button('Details of Orders done').click();
  await button('Measured').first().click();
  await page.getByRole('combobox', { name: 'Scoring direction' }).selectOption('Higher is better');
  await field('Target').fill('120');
  await expectAccessible(page, 'kpi-template-builder');
});

test('items are put in order by keyboard; the focus stays and the position is announced', async () => {
  await button('Move Orders done down').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.getByText('Orders done is now 3 of 3.').waitFor({ state: 'attached' });
  await expectFocus('Move Orders done down');
  expect(await items()).toEqual(['Care for tools', 'Reports in time', 'Orders done']);
});

test('items are put in order by mouse', async () => {
  await page
    .locator('form ol > li')
    .first()
    .evaluate((item) => item.scrollIntoView({ block: 'start' }));
  const grip = await page.locator('[draggable=true]').last().boundingBox();
  const first = await page.locator('form ol > li').first().boundingBox();
  if (!grip || !first) throw new Error('There are no items to move.');
  await page.mouse.move(grip.x + 8, grip.y + 16);
  await page.mouse.down();
  await page.mouse.move(grip.x + 12, grip.y + 4, { steps: 3 });
  // the browser starts a drag with a delay, and the other items accept a drop only after that
  await page.locator('form ol > li[data-dragged]').waitFor();
  await page.mouse.move(first.x + 120, first.y + 6, { steps: 6 });
  await page.locator('form ol > li[data-line=above]').first().waitFor();
  await page.mouse.up();
  await expect.poll(items).toEqual(['Orders done', 'Care for tools', 'Reports in time']);
});

test('an item that was removed comes back', async () => {
  await button('Actions for Care for tools').click();
  await page.getByRole('menuitem', { name: 'Remove item' }).click();
  await toast('Care for tools was removed.');
  await button('Undo').click();
  expect(await items()).toEqual(['Orders done', 'Care for tools', 'Reports in time']);
});

test('the preview shows what an evaluator will see', async () => {
  await button('Preview').click();
  const form = dialog('What reviewers see');
  await form.getByText('The score is calculated from the target: 120.').waitFor();
  await form.getByRole('radio', { name: '4' }).first().check();
  await expectAccessible(page, 'kpi-template-preview');
  await form.getByRole('button', { name: 'Close preview' }).click();
  await form.waitFor({ state: 'hidden' });
});

test('it is activated', async () => {
  await button('Activate').click();
  await toast('Field engineer is active.');
  await heading('Field engineer');
  await page.getByText('Version 1').waitFor();
  expect(await button('Activate').count()).toBe(0);
});

test('a copy is a draft of its own, and is deleted again', async () => {
  await button('Actions for Field engineer').click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  const form = dialog('Duplicate Field engineer');
  await form.getByRole('textbox', { name: 'Name' }).fill('Field engineer, senior');
  await expectAccessible(page, 'kpi-template-duplicate');
  await form.getByRole('button', { name: 'Duplicate' }).click();
  await heading('Field engineer, senior');
  await page.getByText('Draft', { exact: true }).waitFor();
  await button('Actions for Field engineer, senior').click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await dialog('Delete Field engineer, senior?').getByRole('button', { name: 'Delete template' }).click();
  await heading('KPI templates');
  await toast('Field engineer, senior was deleted.');
});

const file = [
  'template_name,item_name,weight',
  'Dispatcher,Trips planned,60',
  'Dispatcher,Empty runs,30',
  'Planner,Plans kept,100',
].join('\n');

test('a file of templates is checked by template, mended in place and written', async () => {
  await page.getByRole('link', { name: 'Import', exact: true }).click();
  await heading('Import KPI templates');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'templates.csv', mimeType: 'text/csv', buffer: Buffer.from(file) });
  await expectAccessible(page, 'kpi-template-import');
  await button('Check file').click();
  await heading('Check results');
  await page.getByRole('rowheader', { name: 'Dispatcher' }).waitFor();
  await expectAccessible(page, 'kpi-template-import-check');
  await button(/^Weight, row 3/).click();
  await page.keyboard.type('40');
  await page.keyboard.press('Enter');
  await page.getByText('Row 3 is ready to import.').waitFor();
  await button('Import 3 items').click();
  await dialog('Import 3 items?').getByRole('button', { name: 'Import now' }).click();
  await heading('Import complete');
  await expectAccessible(page, 'kpi-template-import-result');
  await page.getByRole('link', { name: 'View templates' }).click();
  await page.getByRole('link', { name: 'Dispatcher' }).waitFor();
});

test('the palette finds a template', async () => {
  await page.keyboard.press('Control+K');
  await page.getByRole('combobox', { name: /^Search people/ }).fill('dispatch');
  await page.getByRole('option', { name: /Dispatcher/ }).click();
  await heading('Dispatcher');
  expect(problems).toEqual([]);
});
