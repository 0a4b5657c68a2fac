import { routes } from '../app.ts';
import { sampleFiles } from './file-samples.ts';
import type { TestApp } from './app.ts';
import { probationMaker } from './make-probation.ts';
import type { Client } from './client.ts';

/** What answers about the hidden person contain. */
export const aboutHidden = /zyx/i;

// streams are tested together with their feature
export const readEndpoints = routes
  .map(({ endpoint }) => endpoint)
  .filter(({ method, stream }) => method === 'GET' && !stream);

/** A person of one company with a file, a history and a review, whom people of another company may not see. */
export async function hidePerson({ as, make, deps }: TestApp) {
  const samples = await sampleFiles();
  const [north, south] = [await make.entity({ name: 'North' }), await make.entity({ name: 'South' })];
  const office = await make.department({ entity_id: north.id, name: 'Office' });
  const plant = await make.department({ entity_id: south.id, name: 'Plant' });
  const hidden = await make.employee({
    department_id: plant.id,
    first_name: 'Ulla',
    last_name: 'Zyxwald',
    employee_number: 'ZYX-1',
    email: 'zyxwald@example.com',
    picture_key: 'f'.repeat(32),
  });
  const boss = await make.employee({ department_id: office.id, roles: ['Manager'] });
  const lena = await make.employee({ department_id: office.id, reporting_manager_id: boss.id });
  const hrPerson = await make.employee({ department_id: plant.id, roles: ['HR'] });
  const fullHr = await as(hrPerson.user_id);
  const northHr = await as(
    (await make.employee({ department_id: office.id, roles: [{ role: 'HR', entity_ids: [north.id] }] })).user_id,
  );
  const attackers: [name: string, client: Client][] = [
    ['an employee', await as(lena.user_id)],
    ['a manager', await as(boss.user_id)],
    ['HR of another company', northHr],
  ];
  await fullHr.upload(
    `/api/employees/${hidden.id}/attachments`,
    { name: 'zyxwald.pdf', content: samples.pdf },
    { category: 'letter', visibility: 'manager_employee' },
  );
  await fullHr.put(`/api/employees/${hidden.id}`, { job_title: 'Zyxwald keeper' });
  await probationMaker({ deps, make }).review({
    employee: hidden,
    status: 'submitted',
    comments: 'Zyxwald keeps well.',
  });
  return { north, south, office, plant, hidden, boss, lena, hrPerson, fullHr, northHr, attackers };
}
