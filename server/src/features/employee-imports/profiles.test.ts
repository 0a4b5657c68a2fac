import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';

const { as, make, owner } = await startApp();
const [ours, theirs] = [await make.entity({ name: 'Ours' }), await make.entity({ name: 'Theirs' })];
const crew = await make.department({ entity_id: ours.id, name: 'Crew' });
const only = { role: 'HR', entity_ids: [ours.id] };
const hr = await as((await make.employee({ roles: [only], department_id: crew.id })).user_id);
const away = await as(
  (await make.employee({ roles: [{ role: 'HR', entity_ids: [theirs.id] }], entity_id: theirs.id })).user_id,
);
const employee = await as((await make.employee({ department_id: crew.id })).user_id);

const path = '/api/employees/import-profiles';
let serial = 0;
const fileOf = (extra = '') => {
  serial += 1;
  return `Given,Surname,Post,Unit,Contract,Began${extra && ',Boss'}\nMia,Person${serial},mia${serial}@example.com,Crew,VZ,31.12.2024${extra && `,${extra}`}\n`;
};
const settings = {
  mapping: {
    Given: 'first_name',
    Post: 'email',
    Unit: 'department',
    Contract: 'employment_type',
    Began: 'joining_date',
  },
  values: { Contract: { VZ: 'full_time' } },
  defaults: { entity_id: ours.id },
  date_format: 'DD.MM.YYYY',
};
const upload = (content: string, fields: object, user = hr) =>
  user.upload(
    '/api/employees/import',
    { name: 'staff.csv', content },
    Object.fromEntries(
      Object.entries({ dry_run: true, ...fields }).map(([name, value]) => [
        name,
        typeof value === 'object' ? JSON.stringify(value) : String(value),
      ]),
    ),
  );
const keep = async (name: string, entity_id = ours.id) => {
  const { id } = (await upload(fileOf(), settings)).body.data;
  return hr.post(`/api/employees/imports/${id}/profile`, { name, entity_id });
};

test('mapping, values, defaults and date format are kept under a name and apply to the next file together', async () => {
  const kept = await keep('Payroll office');
  expect([kept.status, kept.body.message]).toEqual([201, 'Import profile created successfully.']);
  const { id, ...profile } = kept.body.data;
  expect(profile).toMatchObject({
    name: 'Payroll office',
    entity: { id: ours.id, name: 'Ours' },
    ...settings,
    mapping: { ...settings.mapping, Surname: 'last_name' },
    allowed_actions: ['delete'],
  });
  expect((await hr.get(path)).body.data.map((one: { id: number }) => one.id)).toEqual([id]);

  // a new file only needs the profile; an extra heading does not matter
  const next = await upload(fileOf('ada@example.com'), { profile_id: id });
  expect(next.body.data).toMatchObject({ status: 'preview', date_format: 'DD.MM.YYYY', values: settings.values });
  const rows = await hr.get(`/api/employees/imports/${next.body.data.id}/rows`);
  expect(rows.body.data[0].errors).toEqual({});
  // nor does a missing one, and the settings of the request take precedence
  const less = await upload('Given,Surname,Post,Unit,Contract\nMia,Less,less@example.com,Crew,VZ\n', {
    profile_id: id,
    values: { Contract: { VZ: 'part_time' } },
  });
  expect(less.body.data).toMatchObject({ counts: { created: 1 }, values: { Contract: { VZ: 'part_time' } } });

  // also for an uploaded file, in one step
  const plain = (await upload(fileOf(), {})).body.data;
  expect(plain.status).toBe('needs_mapping');
  const applied = await hr.put(`/api/employees/imports/${plain.id}`, { profile_id: id, revision: plain.revision });
  expect([applied.status, applied.body.data.counts]).toMatchObject([200, { created: 1, failed: 0 }]);
});

test('a name is unique within a company, and a profile is deleted', async () => {
  const first = await keep('Twice');
  const again = await keep('TWICE');
  expect([again.status, Object.keys(again.body.errors)]).toEqual([422, ['name']]);
  expect((await hr.delete(`${path}/${first.body.data.id}`)).status).toBe(204);
  expect((await hr.get(`${path}/${first.body.data.id}`)).status).toBe(404);
  const { rows } = await owner.query(
    `select action, subject_label, entity_id::int from audit_log
     where subject_type = 'import_profile' and subject_id = $1 order by id`,
    [first.body.data.id],
  );
  expect(rows).toEqual([
    { action: 'import_profile.created', subject_label: 'Twice', entity_id: ours.id },
    { action: 'import_profile.deleted', subject_label: 'Twice', entity_id: ours.id },
  ]);
});

test('importers of other companies and people without the permission neither see, use nor delete it', async () => {
  const { id } = (await keep('Ours alone')).body.data;
  expect((await away.get(path)).body.data).toEqual([]);
  expect((await away.get(`${path}/${id}`)).status).toBe(404);
  expect((await away.delete(`${path}/${id}`)).status).toBe(404);
  const used = await upload(fileOf(), { profile_id: id }, away);
  expect([used.status, Object.keys(used.body.errors)]).toEqual([422, ['profile_id']]);
  const foreign = await keep('Theirs', theirs.id);
  expect([foreign.status, Object.keys(foreign.body.errors)]).toEqual([422, ['entity_id']]);
  const others = (await upload(fileOf(), settings)).body.data.id;
  const stolen = await away.post(`/api/employees/imports/${others}/profile`, { name: 'Mine', entity_id: theirs.id });
  expect(stolen.status).toBe(404);
  expect((await employee.get(path)).status).toBe(403);
  expect((await employee.delete(`${path}/${id}`)).status).toBe(403);
  expect((await hr.get(`${path}/${id}`)).status).toBe(200);
});
