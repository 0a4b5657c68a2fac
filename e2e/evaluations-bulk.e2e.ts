import { expect, test } from 'vitest';
import { expectAccessibleAsIs } from './accessible.ts';
import { signIn } from './demo-pages.ts';
import { journey } from './journey.ts';
import { clickAt } from './pointer.ts';
import { startDemo } from './service.ts';

/** HR releases many results at once, from the list of evaluations. */

const { service: demo, page: hr, problems } = await journey('evaluations-bulk', startDemo);
const bar = hr.getByRole('region', { name: 'Selected evaluations' });

test('all results of the list are previewed with the refusals by reason, released, and each one is out', async () => {
  await signIn(hr, demo, 'hr@northwind.example');
  await hr.goto('/kpi/evaluations?tab=all');
  await hr.getByRole('checkbox').nth(1).waitFor();
  await clickAt(hr.getByRole('checkbox', { name: /^Select .*, / }).first());
  await clickAt(bar.getByRole('button', { name: /^Select all \d+/ }));
  await clickAt(bar.getByRole('button', { name: 'Release results' }));
  const dialog = hr.getByRole('dialog');
  await dialog.getByLabel('HR comment').fill('Thank you for this quarter.');
  await clickAt(dialog.getByRole('button', { name: 'Preview' }));
  await dialog.getByText(/^\d+ ready · \d+ can’t be changed$/).waitFor();
  await expectAccessibleAsIs(hr, 'evaluations-bulk-preview');
  await clickAt(dialog.getByRole('button', { name: 'Release results' }));
  await dialog.getByText(/^\d+ results? released\.$/).waitFor();
  await clickAt(dialog.getByRole('button', { name: 'Done' }));
  await expect.poll(() => bar.count()).toBe(0);
  await hr.goto('/kpi/evaluations?tab=all&status=hr_review');
  await hr.getByText('No matching evaluations').waitFor();
  expect(problems).toEqual([]);
});
