import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fillDay } from '../../../testing/acts.ts';
import { complete } from '../../../testing/people.ts';
import { itemOf, listOf, serve, signedInAs } from '../../../testing/service.ts';
import { start } from '../../../testing/start.tsx';

const lena = { ...complete, allowed_actions: ['job-history', 'past-jobs'] };
const row = {
  id: 30,
  employee_id: 57,
  effective_from: '2015-01-01',
  effective_to: '2020-12-31',
  status: 'past',
  source: 'assumed',
  changed_fields: ['entity_id', 'department_id'],
  entity_id: complete.entity_id,
  entity: complete.entity,
  department_id: complete.department_id,
  department: complete.department,
  reporting_manager_id: null,
  reporting_manager: null,
  job_title: 'Clerk',
  grade: null,
  employment_type: 'full_time',
  employment_lifecycle: 'confirmed',
  reason: null,
  failure: null,
  created_by: { user_id: 1, name: 'Hana Ito' },
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  allowed_actions: ['update'],
};
const current = {
  ...row,
  id: 31,
  status: 'current',
  source: 'entered',
  effective_from: '2021-01-01',
  effective_to: null,
};
const add = 'POST /api/employees/57/past-jobs';
const correct = 'PUT /api/employees/57/job-history/30';

const open = (employee: object = lena, rows: readonly object[] = [current, row]) => {
  const served = serve({
    'GET /api/me': signedInAs(['employees.view', 'employees.update']),
    'GET /api/profile': itemOf({ user: { preferences: {} }, employee: null, roles: [], permissions: [] }),
    'GET /api/employees/57': itemOf(employee),
    'GET /api/employees/57/job-history': listOf(rows),
    'GET /api/entities': listOf([]),
    'GET /api/departments': listOf([]),
    'GET /api/employees': listOf([]),
  });
  return { served, ...start('/employees/57?tab=job') };
};
const dialogOf = async (name: RegExp) => within(await screen.findByRole('dialog', { name }));

test('an assumed job is shown as since before records began, and is corrected with a reason', async () => {
  const { served, user } = open();
  served.replies[correct] = itemOf({ ...row, source: 'entered' });
  expect(await screen.findByText('Since before records began')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: /Correct.*2015/ }));
  const dialog = await dialogOf(/^Correct .*’s job/);
  const save = dialog.getByRole('button', { name: 'Save' });
  expect(save).toHaveProperty('disabled', true);
  await user.clear(dialog.getByRole('textbox', { name: /Job title/ }));
  await user.type(dialog.getByRole('textbox', { name: /Job title/ }), 'Trainee');
  await user.type(dialog.getByRole('textbox', { name: /Reason/ }), 'Found in the personnel file');
  await user.click(save);
  await waitFor(() => expect(served.to(correct)).toHaveLength(1));
  expect(served.to(correct)[0]?.body).toEqual({ job_title: 'Trainee', reason: 'Found in the personnel file' });
  expect(await screen.findByText('The job history was corrected.')).toBeTruthy();
});

test('a past job is added; a refusal is at its field, and the dialog stays', async () => {
  const { served, user } = open();
  const message = 'These days belong to the job from 1 January 2021 on.';
  served.replies[add] = { status: 422, body: { message, errors: { effective_from: [message] } } };
  await user.click(await screen.findByRole('button', { name: 'Add a past job…' }));
  const dialog = await dialogOf(/^Add a past job for/);
  fillDay(dialog.getByRole('textbox', { name: /First day/ }), '2016-02-01');
  await user.type(dialog.getByRole('textbox', { name: /Reason/ }), 'Found in the personnel file');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText(message)).toBeTruthy();
  expect(served.to(add)[0]?.body).toMatchObject({
    effective_from: '2016-02-01',
    reason: 'Found in the personnel file',
  });
});

test('of the current job only the first day is corrected', async () => {
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: /Correct.*2021/ }));
  const dialog = await dialogOf(/^Correct .*’s job/);
  expect(dialog.queryByRole('textbox', { name: /Job title/ })).toBeNull();
  expect(dialog.getByRole('textbox', { name: /First day/ })).toBeTruthy();
});

test('without the right there is neither button', async () => {
  open({ ...lena, allowed_actions: ['job-history'] }, [{ ...row, allowed_actions: [] }]);
  expect(await screen.findByText('Since before records began')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Add a past job…' })).toBeNull();
  expect(screen.queryByRole('button', { name: /Correct/ })).toBeNull();
});
