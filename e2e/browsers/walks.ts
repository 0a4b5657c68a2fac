import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startDemo, type Demo } from '../service.ts';
import { Visitor } from './visitor.ts';
import type { OpenWindow, Point, Size } from './window.ts';

/** A hand-drawn line around this point. */
const scribble = ({ x, y }: Point): Point[] =>
  Array.from({ length: 24 }, (_, step) => ({ x: x - 90 + step * 8, y: y + Math.sin(step / 2) * 30 }));

const starters = [
  'employee_number,first_name,last_name,email,dept,title',
  'walk-1,Robin,Walker,robin.walker@northwind.example,Night Shift,Packer',
  'walk-2,Alex,Walker,alex.walker@northwind.example,Night Shift,Packer',
];

/** The main jobs by pointer, through the texts on the screen, for any browser and window size. */
export function walkThrough(name: string, open: OpenWindow, size: Size): void {
  let demo: Demo;
  let visitor: Visitor;
  let folder: string;

  beforeAll(async () => {
    demo = await startDemo();
    folder = await mkdtemp(join(tmpdir(), 'tenure-walk-'));
    visitor = new Visitor(await open(size), demo.address);
  });
  afterAll(async () => {
    await visitor.leave();
    await demo.stop();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(({ onTestFailed, task }) => {
    onTestFailed(() => visitor.keepPicture(`${name} ${task.name}`.replaceAll(/\W+/g, '-')));
  });

  async function signIn(person: string): Promise<void> {
    await visitor.forget();
    await visitor.goTo('/login');
    await visitor.fill('Work email', `${person}@northwind.example`);
    await visitor.fill('Password', demo.password);
    await visitor.press('button', 'Sign in');
    await visitor.sees('Hello');
  }

  test('sign-in leads home, which shows what there is to do', async () => {
    await signIn('hr');
    await visitor.arrivesAt('/');
    await visitor.sees('To do');
    expect(await visitor.faults()).toEqual([]);
  });

  test('the directory finds a person, whose profile opens', async () => {
    await visitor.goTo('/employees');
    await visitor.fill('Search', 'Marta Taylor', { exact: false });
    await visitor.press('link', 'Marta Taylor');
    await visitor.finds('heading', 'Marta Taylor');
    expect(await visitor.faults()).toEqual([]);
  });

  test('a change of the profile is saved, and undone', async () => {
    await visitor.goTo('/profile');
    await visitor.press('button', 'Edit Contact', { exact: false });
    await visitor.fill('Mobile', '+44 7700 900123');
    await visitor.press('button', 'Save');
    await visitor.sees('+44 7700 900123');
    await visitor.press('button', 'Undo');
    await visitor.misses('+44 7700 900123');
    expect(await visitor.faults()).toEqual([]);
  });

  test('a file of people is checked and imported', async () => {
    const file = join(folder, 'starters.csv');
    await writeFile(file, starters.join('\n'));
    await visitor.goTo('/imports/new');
    await visitor.finds('heading', 'Import people');
    await visitor.choose(file);
    await visitor.press('field', 'Company for rows without one');
    await visitor.press('option', 'Northwind Retail');
    await visitor.press('option', 'Create missing departments', { exact: false });
    await visitor.press('button', 'Check file');
    await visitor.press('button', 'Import 2 people');
    await visitor.press('button', 'Import now');
    await visitor.finds('heading', 'Import complete');
    await visitor.sees('Robin Walker');
    expect(await visitor.faults()).toEqual([]);
  });

  test('a card of the org chart opens, the chart moves and grows', async () => {
    await visitor.goTo('/org-chart?view=chart');
    await visitor.press('card');
    await visitor.press('button', 'Close');
    const before = await visitor.finds('card');
    await visitor.wheel(before, { x: 0, y: -300 });
    await expect.poll(async () => (await visitor.finds('card')).width).toBeGreaterThan(before.width);
    const from = await visitor.finds('card');
    await visitor.drag([from, { x: from.x + 30, y: from.y + 20 }, { x: from.x + 60, y: from.y + 40 }]);
    await expect.poll(async () => (await visitor.finds('card')).x).toBeGreaterThan(from.x + 40);
    expect(await visitor.faults()).toEqual([]);
  });

  test('HR opens a probation review and names its reviewer, who signs it by drawing', async () => {
    await visitor.goTo('/probation?tab=ending');
    await visitor.press('button', 'Start review', { exact: false });
    await visitor.press('button', 'More actions');
    const review = await visitor.path();
    await visitor.press('button', 'Change reviewer');
    await visitor.fill('New reviewer', 'Marta Taylor');
    await visitor.press('option', 'Marta Taylor', { exact: false });
    await visitor.press('button', 'Assign reviewer');
    await visitor.sees('Reviewer changed.');
    await signIn('lead');
    await visitor.goTo(review);
    await visitor.press('option', '4 – good');
    await visitor.fill('Overall assessment', 'Learns fast.');
    await visitor.press('option', 'Confirm');
    await visitor.sees('Saved');
    await visitor.press('button', 'Sign and submit');
    await visitor.press('option', 'Draw');
    await visitor.drag(scribble(await visitor.finds('canvas')));
    await visitor.sees('Signature drawn.');
    await visitor.press('field', 'I ', { exact: false });
    await visitor.press('button', 'Sign and submit');
    await visitor.sees('Review submitted.');
    expect(await visitor.faults()).toEqual([]);
  });

  test('an employee scores an item of the own evaluation, which saves itself', async () => {
    await signIn('employee');
    await visitor.press('link', 'Submit your self-assessment', { exact: false });
    await visitor.finds('heading', 'Net revenue');
    await visitor.fill('Actual value', '262000');
    await visitor.sees('score 4');
    await visitor.sees('Saved');
    expect(await visitor.faults()).toEqual([]);
  });
}
