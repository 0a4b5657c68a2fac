import { expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import type { Answer, Client } from '../testing/client.ts';
import { brokenInvariants } from '../invariants/invariants.ts';
import { connect } from '../db/connect.ts';

// two conflicting actions, sent to two processes at the same moment: the second is refused
const one = await startApp();
const two = await startApp({}, { beside: one });
const { make, owner, database } = one;
const admin = await make.admin();
const here = await one.as(admin.user_id);
const there = await two.as(admin.user_id);
const rounds = 6;

type Ask = (client: Client) => Promise<Answer>;

/** Sends both actions in parallel, each to either process and each first in half of the rounds. */
async function race(one: Ask, other: Ask, round: number): Promise<[one: number, other: number]> {
  const [a, b] = round % 2 ? [here, there] : [there, here];
  const both = round % 4 < 2 ? [one(a), other(b)] : [other(b), one(a)].reverse();
  const [x, y] = (await Promise.all(both)) as [Answer, Answer];
  for (const { status } of [x, y]) expect(status).toBeLessThan(500);
  return [x.status, y.status];
}
const rows = async (text: string, values: unknown[] = []) => (await owner.query(text, values)).rows as unknown[];
const because = { reason: 'Agreed with the works council' };

/** Runs the pair in every order; `check` returns the errors after both responses. */
async function inRounds(pair: (round: number) => Promise<{ one: Ask; other: Ask; check: Check }>) {
  for (let round = 0; round < rounds; round += 1) {
    const { one, other, check } = await pair(round);
    await check(...(await race(one, other, round)));
  }
  const { db } = connect({ url: database.ownerUrl, max: 1 });
  try {
    return await brokenInvariants(db);
  } finally {
    await db.destroy();
  }
}
type Check = (one: number, other: number) => Promise<void>;

/** Exactly one of the two succeeded. */
const exclusive = (one: number, other: number) => {
  expect([one, other].filter((status) => status < 300)).toHaveLength(1);
  expect([404, 409, 422]).toContain(Math.max(one, other));
};

test('a company is deleted or gets a department', async () => {
  const broken = await inRounds(async (round) => {
    const { id } = await make.entity();
    return {
      one: (client) => client.delete(`/api/entities/${id}`),
      other: (client) => client.post('/api/departments', { name: `Pair ${round}`, entity_id: id }),
      check: async (...answers) => exclusive(...answers),
    };
  });
  expect(broken).toEqual([]);
});

const newcomer = (place: { entity_id: number; department_id: number }, number: string) => ({
  ...place,
  first_name: 'Ada',
  last_name: 'Moss',
  email: `${number.toLowerCase()}@example.com`,
  employee_number: number,
});

test('a department is deleted or a person is hired into it', async () => {
  const broken = await inRounds(async (round) => {
    const department = await make.department();
    const place = { entity_id: department.entity_id, department_id: department.id };
    return {
      one: (client) => client.delete(`/api/departments/${department.id}`),
      other: (client) => client.post('/api/employees', newcomer(place, `HIRED-${round}`)),
      check: async (...answers) => exclusive(...answers),
    };
  });
  expect(broken).toEqual([]);
});

test('a department is closed or a person is hired into it', async () => {
  const broken = await inRounds(async (round) => {
    const department = await make.department();
    const place = { entity_id: department.entity_id, department_id: department.id };
    return {
      one: (client) => client.put(`/api/departments/${department.id}`, { status: 'inactive' }),
      other: (client) => client.post('/api/employees', newcomer(place, `CLOSED-${round}`)),
      check: async (closed, hired) => {
        const found = await rows('select from employees where department_id = $1', [department.id]);
        expect([closed === 200 || closed === 422, found.length]).toEqual([true, hired === 201 ? 1 : 0]);
      },
    };
  });
  expect(broken).toEqual([]);
});

test('a number goes to a row of an import or to the person of a form', async () => {
  const broken = await inRounds(async (round) => {
    const office = await make.department();
    const [entity] = (await rows('select name from entities where id = $1', [office.entity_id])) as [{ name: string }];
    const [number, place] = [`IMP-${round}`, { entity_id: office.entity_id, department_id: office.id }];
    const content = [
      'employee_number,first_name,last_name,email,entity,department',
      `${number},Ann,Lee,row${round}@example.com,${entity.name},${office.name}`,
    ].join('\n');
    return {
      one: (client) => client.upload('/api/employees/import', { name: 'pair.csv', content }),
      other: (client) => client.post('/api/employees', newcomer(place, number)),
      check: async (imported, created) => {
        expect([imported, created === 201 || created === 422]).toEqual([201, true]);
        const people = await rows('select email from employees where employee_number = $1', [number]);
        expect(people).toHaveLength(1);
        const [told] = await rows(`select counts ->> 'created' as created, counts ->> 'failed' as failed
                                   from imports order by id desc limit 1`);
        expect(told).toEqual(created === 201 ? { created: '0', failed: '1' } : { created: '1', failed: '0' });
      },
    };
  });
  expect(broken).toEqual([]);
});

test('a person is suspended and separated in parallel: both take effect once', async () => {
  const broken = await inRounds(async () => {
    const { id } = await make.employee();
    const body = { ...because, type: 'resigned', last_working_date: '2099-01-31' };
    return {
      one: (client) => client.post(`/api/employees/${id}/deactivate`, because),
      other: (client) => client.post(`/api/employees/${id}/separate`, body),
      check: async (...answers) => {
        expect(answers).toEqual([200, 200]);
        expect(await rows('select activity_status, employment_lifecycle from employees where id = $1', [id])).toEqual([
          { activity_status: 'inactive', employment_lifecycle: 'resigned' },
        ]);
        expect(
          await rows(`select action from audit_log where subject_type = 'employee' and subject_id = $1 order by 1`, [
            id,
          ]),
        ).toEqual([{ action: 'employee.deactivated' }, { action: 'employee.separated' }]);
      },
    };
  });
  expect(broken).toEqual([]);
});

test.each([
  [
    'suspended',
    (id: number): Ask =>
      (client) =>
        client.post(`/api/employees/${id}/deactivate`, because),
  ],
  [
    'deleted',
    (id: number): Ask =>
      (client) =>
        client.delete(`/api/employees/${id}`),
  ],
] as const)('a person is %s, or becomes the manager of somebody', async (_how, leave) => {
  const broken = await inRounds(async () => {
    const [manager, report] = [await make.employee(), await make.employee()];
    return {
      one: leave(manager.id),
      other: (client) => client.put(`/api/employees/${report.id}`, { reporting_manager_id: manager.id }),
      check: async (...answers) => exclusive(...answers),
    };
  });
  expect(broken).toEqual([]);
});

test.each([
  [
    'suspended',
    (id: number): Ask =>
      (client) =>
        client.post(`/api/employees/${id}/deactivate`, because),
  ],
  [
    'deleted',
    (id: number): Ask =>
      (client) =>
        client.delete(`/api/employees/${id}`),
  ],
] as const)('a person is %s, or gets a department to lead', async (_how, leave) => {
  const broken = await inRounds(async () => {
    const leader = await make.employee();
    const path = `/api/departments/${leader.department_id}/manager`;
    return {
      one: leave(leader.id),
      other: (client) => client.put(path, { employee_id: leader.id }),
      check: async (...answers) => exclusive(...answers),
    };
  });
  expect(broken).toEqual([]);
});

test('a separation is withdrawn once', async () => {
  const broken = await inRounds(async () => {
    const { id } = await make.employee();
    const body = { ...because, type: 'resigned', last_working_date: '2099-01-31' };
    expect((await here.post(`/api/employees/${id}/separate`, body)).status).toBe(200);
    const withdraw: Ask = (client) => client.post(`/api/employees/${id}/withdraw-separation`, because);
    return { one: withdraw, other: withdraw, check: async (...answers) => exclusive(...answers) };
  });
  expect(broken).toEqual([]);
});

test('a person is deleted or gets a file', async () => {
  const broken = await inRounds(async () => {
    const { id } = await make.employee();
    const file = { name: 'a.pdf', content: '%PDF-1.7\n%%EOF\n' };
    return {
      one: (client) => client.delete(`/api/employees/${id}`),
      other: (client) => client.upload(`/api/employees/${id}/attachments`, file, { category: 'other' }),
      check: async (...answers) => exclusive(...answers),
    };
  });
  expect(broken).toEqual([]);
});

test('a person is suspended or signs in and continues', async () => {
  const broken = await inRounds(async () => {
    const person = await make.employee();
    const session = await one.as(person.user_id);
    return {
      one: (client) => client.post(`/api/employees/${person.id}/deactivate`, because),
      other: () => session.put('/api/profile', { phone: '+49 30 1' }),
      check: async (suspended) => {
        expect(suspended).toBe(200);
        expect((await session.get('/api/me')).status).toBe(401);
      },
    };
  });
  expect(broken).toEqual([]);
});
