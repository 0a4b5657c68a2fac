import { DirectoryCard, DirectoryPerson } from '@tenure/contract';
import { describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import type { Client } from '../../testing/client.ts';
import { sampleFiles } from '../../testing/file-samples.ts';

const app = await startApp({ RATE_LIMIT_PER_MINUTE: '100000' });
const { as, make, owner } = app;
const north = await make.entity({ name: 'North' });
const south = await make.entity({ name: 'South' });
const board = await make.department({ entity_id: north.id, name: 'Board' });
const sales = await make.department({ entity_id: south.id, name: 'Sales' });
const empty = await make.department({ entity_id: south.id, name: 'Empty' });

type Fields = Parameters<typeof make.employee>[0];
const person = (first_name: string, fields: Fields) => make.employee({ first_name, last_name: 'Known', ...fields });

const chief = await person('Carla', { department_id: board.id, job_title: 'Director', roles: ['HR'] });
const head = await person('Hugo', { department_id: sales.id, reporting_manager_id: chief.id, roles: ['Manager'] });
const ann = await person('Ann', { department_id: sales.id, reporting_manager_id: head.id, job_title: 'Seller' });
const secretive = await person('Zqfirst', {
  department_id: sales.id,
  reporting_manager_id: head.id,
  display_name: 'Bo Berg',
  middle_name: 'Zqmiddle',
  employee_number: 'ZQ-77',
  email: 'bo.berg@acme.example',
  job_title: 'Émile’s stand-in',
});
const suspended = await person('Sus', {
  department_id: empty.id,
  reporting_manager_id: head.id,
  activity_status: 'inactive',
});
const below = await person('Below', { department_id: board.id, reporting_manager_id: suspended.id });
const twin = await person('Twin', { department_id: board.id, reporting_manager_id: suspended.id });
const coming = await person('Coming', {
  department_id: empty.id,
  activity_status: 'joining',
  joining_date: '2099-01-01',
});
const left = await person('Left', {
  department_id: empty.id,
  activity_status: 'inactive',
  employment_lifecycle: 'resigned',
});
const deleted = await person('Deleted', { department_id: empty.id, deleted_at: '2026-01-01' });
const outside = { suspended, coming, left, deleted };

const employee = await as(ann.user_id);
const hr = await as(chief.user_id);
const manager = await as(head.user_id);
const powerless = await as((await make.employee({ roles: [], department_id: board.id, last_name: 'Nil' })).user_id);

type Card = { id: number; name: string };
const list = async (query = '', who = employee) => {
  const answer = await who.get(`/api/directory?per_page=100${query}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as { data: Card[]; meta: { total: number } };
};
const names = async (query = '', who = employee) => (await list(query, who)).data.map(({ name }) => name);

/** Every path of the directory about people. */
const addresses = (id: number) => [
  '/api/directory?per_page=100',
  '/api/directory?per_page=100&sort_direction=desc',
  `/api/directory?entity_id=${south.id}`,
  `/api/directory?department_id=${sales.id},${empty.id}`,
  `/api/directory?manager_id=${head.id}`,
  `/api/directory?manager_id=0`,
  '/api/directory?search=bo',
  '/api/directory?search=zq',
  '/api/directory/places',
  `/api/directory/${id}`,
  `/api/directory/${ann.id}`,
  `/api/directory/${head.id}`,
  `/api/directory/${id}/profile-picture`,
];
const answersOf = async (who: Client, id: number) => {
  const answers: string[] = [];
  for (const url of addresses(id)) {
    const { status, bytes } = await who.get(url);
    answers.push(`${url} ${status} ${bytes.toString()}`);
  }
  return answers;
};

test('a card has name, title, department, company, work email, manager and picture, and no more', async () => {
  const { data } = await list('&search=ann');
  expect(data).toEqual([
    {
      id: ann.id,
      name: 'Ann Known',
      job_title: 'Seller',
      department: { id: sales.id, name: 'Sales' },
      entity: { id: south.id, name: 'South' },
      email: ann.email,
      manager: { id: head.id, name: 'Hugo Known' },
      profile_picture_url: null,
    },
  ]);
  expect(Object.keys(DirectoryCard.shape)).toEqual(Object.keys(data[0] ?? {}));
});

test('one person comes with managers from the top, colleagues and direct reports', async () => {
  const { body } = await employee.get(`/api/directory/${ann.id}`);
  expect(Object.keys(body.data)).toEqual(Object.keys(DirectoryPerson.shape));
  const brief = (cards: Card[]) => cards.map(({ name }) => name);
  expect(brief(body.data.managers)).toEqual(['Carla Known', 'Hugo Known']);
  expect([brief(body.data.colleagues), body.data.colleagues_count]).toEqual([['Bo Berg'], 1]);
  expect([body.data.reports, body.data.reports_count]).toEqual([[], 0]);
  const ofHead = (await employee.get(`/api/directory/${head.id}`)).body.data;
  expect([brief(ofHead.reports), ofHead.reports_count]).toEqual([['Ann Known', 'Bo Berg'], 2]);
});

test('people are listed by the name that is shown, a page at a time', async () => {
  const all = ['Ann Known', 'Below Known', 'Bo Berg', 'Carla Known', 'Hugo Known', 'Twin Known'];
  expect((await names('&search=known')).length).toBe(5);
  expect((await names()).filter((name) => all.includes(name))).toEqual(all);
  expect((await names('&sort_direction=desc')).filter((name) => all.includes(name))).toEqual(all.toReversed());
  const { body } = await employee.get('/api/directory?per_page=2&page=2');
  expect(body.data.map(({ name }: Card) => name)).toEqual((await names()).slice(2, 4));
});

test('filters are about what the cards show', async () => {
  expect(await names(`&entity_id=${south.id}`)).toEqual(['Ann Known', 'Bo Berg', 'Hugo Known']);
  expect(await names(`&department_id=${sales.id}&search=hugo`)).toEqual(['Hugo Known']);
  expect(await names(`&manager_id=${head.id}`)).toEqual(['Ann Known', 'Bo Berg']);
  expect(await names('&search=emile+bo')).toEqual(['Bo Berg']);
  expect(await names('&search=bo.berg@acme')).toEqual(['Bo Berg']);
  expect(await names('&search=DIRECT')).toEqual(['Carla Known']);
  const places = (await employee.get('/api/directory/places')).body.data;
  expect(places.entities).toEqual([
    { id: north.id, name: 'North' },
    { id: south.id, name: 'South' },
  ]);
  expect(places.departments).toEqual([
    { id: board.id, name: 'Board', entity: { id: north.id, name: 'North' } },
    { id: sales.id, name: 'Sales', entity: { id: south.id, name: 'South' } },
  ]);
});

describe('an attacker', () => {
  test.each(Object.entries(outside))('finds no trace of a person who is %s', async (_state, { id, email }) => {
    const known = await list();
    expect(known.data.map((card) => card.id)).not.toContain(id);
    expect((await list(`&search=${email}`)).meta.total).toBe(0);
    for (const url of [`/api/directory/${id}`, `/api/directory/${id}/profile-picture`])
      expect((await employee.get(url)).body).toEqual((await employee.get('/api/directory/987654321')).body);
    expect((await list(`&manager_id=${id}`)).meta.total).toBe(0);
  });

  test('does not learn from shared managers who is suspended, or that there is a manager', async () => {
    const { body } = await employee.get(`/api/directory/${below.id}`);
    expect(body.data).toMatchObject({ manager: null, managers: [], colleagues: [], colleagues_count: 0 });
    expect((await employee.get(`/api/directory/${head.id}`)).body.data.reports_count).toBe(2);
    expect(await names('&manager_id=0')).toEqual(expect.arrayContaining(['Below Known', 'Carla Known', 'Twin Known']));
  });

  test.each(['zqfirst', 'zqmiddle', 'known+zq', 'ZQ-77', '77'])(
    'finds no one by %s, which no card shows',
    async (text) => {
      expect(await names(`&search=${text}`)).toEqual([]);
    },
  );

  test.each(['last_name', 'joining_date', 'grade', 'employee_number', 'updated_at'])(
    'cannot sort by %s',
    async (field) => {
      expect((await employee.get(`/api/directory?sort_by=${field}`)).status).toBe(422);
    },
  );

  test('gets the same answers whatever the hidden fields hold', async () => {
    const before = await answersOf(employee, secretive.id);
    await owner.query(
      `update employees set first_name = 'Aaa', last_name = 'Aaa', middle_name = 'Aaa', salutation = 'Dr',
         employee_number = 'AA-1', grade = 'A1', phone = '11111', mobile = '11111', personal_email = 'a@a.example',
         date_of_birth = '1970-01-01', gender = 'other', marital_status = 'single', nationality = 'X',
         employment_type = 'contract', employment_lifecycle = 'confirmed', joining_date = '2001-01-01',
         probation_start_date = '2001-01-01', probation_end_date = '2001-06-01', confirmation_date = '2001-06-02',
         address = '{"city": "Aaa"}', bank = '{"bank_name": "Aaa"}', emergency_contact = '{"name": "Aaa"}'
       where id = $1`,
      [secretive.id],
    );
    // from one manager who is not in the directory to another
    await owner.query('update employees set reporting_manager_id = $1 where id = $2', [coming.id, twin.id]);
    await owner.query('update departments set manager_id = $1, team_lead_id = $2 where id = $3', [
      secretive.id,
      ann.id,
      sales.id,
    ]);
    expect(await answersOf(employee, secretive.id)).toEqual(before);
  });

  test('gets what every other reader gets', async () => {
    const expected = await answersOf(hr, secretive.id);
    for (const who of [employee, manager, powerless]) expect(await answersOf(who, secretive.id)).toEqual(expected);
  });

  test('gains nothing beside the directory: the record, its picture and the lists stay closed', async () => {
    for (const path of ['', '/profile-picture', '/job-history', '/attachments'])
      expect((await employee.get(`/api/employees/${secretive.id}${path}`)).status).toBe(404);
    expect((await employee.get('/api/employees')).body.meta.total).toBe(1);
    expect((await employee.get(`/api/employees?search=bo`)).body.meta.total).toBe(0);
    expect((await employee.get('/api/search?q=bo')).body.data.people).toEqual([]);
    expect((await employee.get('/api/employees/export')).status).toBe(403);
    expect((await employee.get('/api/directory/export')).status).toBe(404);
  });

  test('is refused without a session', async () => {
    const guest = await as();
    for (const url of addresses(ann.id)) expect((await guest.get(url)).status).toBe(401);
  });
});

test('a picture is shown under a name that says nothing', async () => {
  const file = { name: 'me.png', content: (await sampleFiles()).png };
  expect((await hr.upload(`/api/employees/${secretive.id}/profile-picture`, file)).status).toBe(200);
  const { data } = await list('&search=bo');
  expect(data[0]).toMatchObject({ profile_picture_url: `/api/directory/${secretive.id}/profile-picture` });
  const answer = await employee.get(`/api/directory/${secretive.id}/profile-picture`);
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'image/webp']);
  expect(String(answer.headers['content-disposition'])).toContain(`colleague-${secretive.id}.webp`);
});

test('an installation without the directory shows no one', async () => {
  const closed = await startApp({ DIRECTORY: 'off' }, { beside: app });
  const reader = await closed.as(ann.user_id);
  for (const query of ['', `?manager_id=${head.id}`, '?search=bo'])
    expect((await reader.get(`/api/directory${query}`)).body).toMatchObject({ data: [], meta: { total: 0 } });
  expect((await reader.get('/api/directory/places')).body.data).toEqual({ entities: [], departments: [] });
  for (const path of [ann.id, `${ann.id}/profile-picture`, `${secretive.id}/profile-picture`])
    expect((await reader.get(`/api/directory/${path}`)).status).toBe(404);
  expect((await reader.get('/api/me')).body.data.directory).toBe(false);
  expect((await employee.get('/api/me')).body.data.directory).toBe(true);
});
