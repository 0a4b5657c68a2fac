import { expect, test } from 'vitest';
import { phones, type Hand } from './hand.ts';

/** An evaluation from the self-assessment, through the manager and HR, to the employee's answer, each by finger. */

const { hand, problems } = await phones('touch-evaluation');
const employee = await hand('employee');
const lead = await hand('lead');
const hr = await hand('hr');

let address = '';
const item = (one: Hand, name: string) => one.page.getByRole('heading', { level: 2, name }).waitFor();

/** Fills in all items one by one, up to the last step. */
async function answer(one: Hand, values: readonly string[]): Promise<void> {
  for (const value of values) {
    await one.write('Actual value', value);
    await one.press('Next item');
  }
  for (const name of ['Forecast and records', 'Advice to customers']) {
    await item(one, name);
    await one.radio('4');
    await one.sees(/^Saved \d\d:\d\d$/);
    await one.press('Next item');
  }
  await item(one, 'Overall');
}

test('the employee finds the self-assessment at home, fills it in and submits it', async () => {
  await employee.link(/^Submit your self-assessment/);
  await item(employee, 'Net revenue');
  address = new URL(employee.page.url()).pathname;
  await employee.fits('self-assessment');
  await answer(employee, ['262000', '13', '6']);
  await employee.press(/select an item$/);
  await employee.fits('items of an evaluation');
  await employee.link('Overall', employee.dialog('Items'));
  await employee.press('How it’s calculated');
  await employee.dialog('How it’s calculated').getByRole('table').waitFor();
  await employee.fits('calculation');
  await employee.press(/^Close/, employee.dialog('How it’s calculated'));
  await employee.press('Submit self-assessment');
  await employee.fits('submitting a self-assessment');
  await employee.press('Submit');
  await employee.sees('Self-assessment submitted.');
});

test('evidence, scores and strengths come from the manager, who submits', async () => {
  await lead.goTo(address);
  await lead.fits('manager review');
  await answer(lead, ['262000', '12', '7']);
  await lead.write('Strengths', 'Knows every customer by name.');
  await lead.sees(/^Saved \d\d:\d\d$/);
  await lead.press('Submit review');
  await lead.press('Submit');
  await lead.sees('Review submitted.');
});

test('HR decides on the flag and releases the result', async () => {
  await hr.goTo(address);
  await hr.write('HR comment', 'Both sides agree on what matters.');
  await hr.radio('High potential');
  await hr.write('Reason for the flag', 'Takes over the team of the north next year.');
  await hr.sees(/^Saved \d\d:\d\d$/);
  await hr.fits('HR review');
  await hr.press('Finish HR review');
  await hr.fits('releasing a result');
  await hr.press('Release result');
  await hr.sees('Result released.');
});

test('the employee reads the result, begins a dispute, and accepts', async () => {
  await employee.goTo(address);
  await employee.press('Dispute result');
  await employee.write('What do you disagree with?', 'The discounts were decided by the head of sales.');
  await employee.fitsBesideKeys('dispute');
  await employee.press('Not now');
  await employee.dialog(/dispute/i).waitFor({ state: 'detached' });
  await employee.press('Accept result');
  await employee.press('Accept');
  await employee.sees('You accepted the result.');
  await employee.fits('result');
});

test('HR completes it, and the activity is read', async () => {
  await hr.goTo(address);
  await hr.press('Complete');
  await hr.press('Complete', hr.dialog(/^Complete .*’s evaluation/));
  await hr.sees('Evaluation completed.');
  await hr.tab('Activity');
  await hr.sees('Accepted');
  await hr.fits('activity');
  expect(problems).toEqual([]);
});
