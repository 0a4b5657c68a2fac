import { describe, expect, test } from 'vitest';
import { shapeOf } from '../../roles/lookalike.ts';
import { startApp } from '../../../testing/app.ts';

/** No person shows the name of another person; two people with the same real name can both show it. */

const { as, make, owner } = await startApp();
const hrPerson = await make.employee({ roles: ['HR'] });
const hr = await as(hrPerson.user_id);
const acme = await make.entity({ code: 'ACME' });
const crew = await make.department({ entity_id: acme.id, name: 'Crew' });
const elsewhere = await make.department();
const chief = await make.employee({ department_id: elsewhere.id, first_name: 'Carla', last_name: 'Moreno' });
const nick = await make.employee({ department_id: elsewhere.id, display_name: 'Doc Sommer' });
const refused = { display_name: ['The display name has already been taken.'] };

/** Lookalike spellings of the two names. */
const spellings = [
  'Carla Moreno',
  'CARLA  MORENO',
  'Carlá Moreño',
  'Саrlа Моrеnо',
  'Car\u200bla Moreno',
  'Carla Morenο',
  '𝐂𝐚𝐫𝐥𝐚 Moreno',
  'Carla-Moreno.',
  'Cɑrla M0reno',
  'doc sommer',
  'Ⅾoc Sommer',
];
const person = (fields: object) => ({
  email: `p${Math.random().toString(36).slice(2)}@acme.example`,
  first_name: 'Ida',
  last_name: 'Quill',
  entity_id: acme.id,
  department_id: crew.id,
  ...fields,
});

describe.each(spellings)('the name %j of another person is refused', (display_name) => {
  test('for a new person, in an update and in the own profile', async () => {
    const ida = await make.employee({ department_id: crew.id, first_name: 'Ida', last_name: 'Quill' });
    const own = await as(ida.user_id);
    for (const answer of [
      await hr.post('/api/employees', person({ display_name })),
      await hr.put(`/api/employees/${ida.id}`, { display_name }),
      await own.put('/api/profile', { display_name }),
    ])
      expect([answer.status, answer.body.errors]).toEqual([422, refused]);
    expect((await hr.get(`/api/employees/${ida.id}`)).body.data.display_name).toBe('Ida Quill');
  });

  test('in an import', async () => {
    const { rows } = await imported([`Ida,Quill,${display_name}`], { dry_run: '1' });
    expect(rows).toMatchObject([{ status: 'failed', errors: refused }]);
  });
});

let serial = 0;
async function imported(lines: string[], fields: Record<string, string> = {}) {
  serial += 1;
  const content = [
    'first_name,last_name,display_name,email,entity,department',
    ...lines.map((line, n) => `${line},row${serial}-${n}@acme.example,ACME,Crew`),
  ].join('\n');
  const upload = await hr.upload('/api/employees/import', { name: `names-${serial}.csv`, content }, fields);
  const { id, status } = upload.body.data;
  return { id, status, rows: (await hr.get(`/api/employees/imports/${id}/rows`)).body.data };
}

describe('an import', () => {
  test('is refused with names that two of its own rows would show', async () => {
    const { rows } = await imported(
      ['Max,Muster,Maxi', 'Maxine,Master,MAXI', 'Ola,Berg,Tom Thal', 'Tom,Thal,', 'Una,Moss,Una the first'],
      { dry_run: '1', mode: 'partial' },
    );
    const failed = rows.filter(({ status }: { status: string }) => status === 'failed');
    expect(failed.map(({ row, errors }: { row: number; errors: object }) => [row, Object.keys(errors)])).toEqual([
      [2, ['display_name']],
      [3, ['display_name']],
      [4, ['display_name']],
    ]);
  });
});

describe('an allowed display name', () => {
  test('is the own one, also of namesakes and in another spelling', async () => {
    const first = await hr.post('/api/employees', person({ first_name: 'Carla', last_name: 'Moreno' }));
    const second = await hr.post(
      '/api/employees',
      person({ first_name: 'Carla', last_name: 'Moreno', display_name: 'CARLA MORENO' }),
    );
    const third = await hr.post(
      '/api/employees',
      person({ first_name: 'Carla', last_name: 'Moreno', display_name: 'Carla Moreno (Sales)' }),
    );
    expect([first.status, second.status, third.status]).toEqual([201, 201, 201]);
    const { status, rows } = await imported(['Carla,Moreno,', 'Carla,Moreno,Carla Moreno']);
    expect([status, rows.map((row: { status: string }) => row.status)]).toEqual(['completed', ['created', 'created']]);
  });

  test('is one without an active person, and other changes of its owner succeed', async () => {
    const gone = await make.employee({ first_name: 'Bela', last_name: 'Gone', activity_status: 'inactive' });
    const ida = await make.employee({ department_id: crew.id });
    expect((await hr.put(`/api/employees/${ida.id}`, { display_name: 'Bela Gone' })).status).toBe(200);
    expect((await hr.put(`/api/employees/${ida.id}`, { phone: '+49 30 1234' })).status).toBe(200);
    expect((await hr.put(`/api/employees/${nick.id}`, { phone: '+49 30 1234' })).status).toBe(200);
    const back = await hr.post(`/api/employees/${gone.id}/reactivate`, { reason: 'Back from a long leave' });
    // one's own full name is always allowed
    expect(back.status).toBe(200);
  });
});

describe('names are restored', () => {
  test('with a reactivated person only while no other person shows them', async () => {
    const away = await make.employee({ department_id: crew.id, display_name: 'Skipper' });
    expect((await hr.post(`/api/employees/${away.id}/deactivate`, { reason: 'A long leave abroad' })).status).toBe(200);
    const next = await make.employee({ department_id: crew.id });
    expect((await hr.put(`/api/employees/${next.id}`, { display_name: 'Skipper' })).status).toBe(200);
    const back = await hr.post(`/api/employees/${away.id}/reactivate`, { reason: 'Back from a long leave' });
    expect([back.status, back.body.errors]).toEqual([422, refused]);
    expect((await hr.put(`/api/employees/${away.id}`, { display_name: null })).status).toBe(200);
    expect((await hr.post(`/api/employees/${away.id}/reactivate`, { reason: 'Back from a long leave' })).status).toBe(
      200,
    );
  });

  test('with the undo of an import only while no other person shows them', async () => {
    const ace = await make.employee({ department_id: crew.id, employee_number: 'ACE-1', display_name: 'Ace' });
    const content = 'employee_number,display_name\nACE-1,Joker';
    const upload = await hr.upload('/api/employees/import', { name: 'ace.csv', content }, { on_conflict: 'update' });
    expect(upload.body.data.status).toBe('completed');
    const next = await make.employee({ department_id: crew.id });
    expect((await hr.put(`/api/employees/${next.id}`, { display_name: 'Ace' })).status).toBe(200);
    const undo = await hr.post(`/api/employees/imports/${upload.body.data.id}/undo`);
    expect([undo.status, JSON.stringify(undo.body.errors)]).toEqual([
      422,
      expect.stringContaining('values of the person in row 2 are no longer valid'),
    ]);
    expect((await hr.get(`/api/employees/${ace.id}`)).body.data.display_name).toBe('Joker');
  });
});

test('the database and the names of roles fold the same lookalikes', async () => {
  const texts = [
    ...spellings,
    'Адміністратор',
    'Zoë Müller-Lüdenscheidt',
    '李小龙',
    "O'Brien",
    'Arne Vvolf',
    'l1I|!',
    chief.email,
  ];
  const { rows } = await owner.query(
    'select name_shape(t) as shape from unnest($1::text[]) with ordinality as x (t, n) order by n',
    [texts],
  );
  expect(rows.map(({ shape }) => shape)).toEqual(texts.map(shapeOf));
});
