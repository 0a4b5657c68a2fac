import { describe, expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import type { Answer } from '../testing/client.ts';

/** K16: "exactly one" and "at most" under simultaneous requests to two processes. */

const settings = { TRUST_PROXY: '127.0.0.0/8', RATE_LIMIT_PER_MINUTE: '100000' };
const one = await startApp(settings);
const two = await startApp(settings, { beside: one });
const { make, owner } = one;
const apps = [one, two];
const acme = await make.entity({ name: 'Acme', code: 'ACM' });
const office = await make.department({ entity_id: acme.id, name: 'Office' });
const hrPerson = await make.employee({ roles: ['HR'], department_id: office.id });
const [hr, otherHr] = [await one.as(hrPerson.user_id), await two.as(hrPerson.user_id)];
const count = async (text: string, values: unknown[] = []) =>
  Number((await owner.query<{ count: string }>(text, values)).rows[0]?.count);
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort((a, b) => a - b);
const times = <T>(length: number, make: (n: number) => T) => Array.from({ length }, (_, n) => make(n));
/** Sign-in attempts, each from a different address, so that no address limit applies. */
const signIns = async (length: number, body: object, from = 0) => {
  const guests = await Promise.all(times(length, (n) => (apps[n % 2] ?? one).as()));
  return Promise.all(
    guests.map((guest, n) =>
      guest.send('POST', '/login', { body, headers: { 'x-forwarded-for': `192.0.2.${from + n}` } }),
    ),
  );
};

describe('K16: simultaneously in two processes', () => {
  test('a one-time password opens one session', async () => {
    const person = await make.employee({ department_id: office.id });
    const { one_time_password: password } = (await hr.post(`/api/employees/${person.id}/reset-password`)).body;
    const answers = await signIns(16, { email: person.email, password });
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await count('select count(*) from session_register where user_id = $1', [person.user_id])).toBe(1);
  });

  test('a one-time password and its change lead to one new password', async () => {
    const person = await make.employee({ department_id: office.id });
    const { one_time_password: password } = (await hr.post(`/api/employees/${person.id}/reset-password`)).body;
    const guest = await one.as();
    await guest.post('/login', { email: person.email, password });
    const chosen = times(6, (n) => `Chos3n!Secret-${n}`);
    const copies = await Promise.all(
      chosen.map(async (_, n) => {
        const copy = await (apps[n % 2] ?? one).as();
        for (const [name, value] of guest.cookies) copy.cookies.set(name, value);
        return copy;
      }),
    );
    await owner.query('delete from login_attempts');
    const answers = await Promise.all(
      copies.map((copy, n) =>
        copy.put('/api/profile/password', {
          current_password: password,
          password: chosen[n],
          password_confirmation: chosen[n],
        }),
      ),
    );
    const [winner, ...more] = chosen.filter((_, n) => answers[n]?.status === 200);
    expect([winner === undefined, more]).toEqual([false, []]);
    await owner.query('delete from login_attempts');
    expect(statuses(await signIns(1, { email: person.email, password: winner }))).toEqual([200]);
  });

  test('a person has at most twenty sessions', async () => {
    const person = await make.employee({ department_id: office.id, password: 'Str0ng!Passw0rd' });
    const body = { email: person.email, password: 'Str0ng!Passw0rd' };
    for (let round = 0; round < 3; round += 1)
      expect(new Set(statuses(await signIns(12, body, round * 12)))).toEqual(new Set([200]));
    expect(
      await count('select count(*) from session_register where user_id = $1 and revoked_at is null', [person.user_id]),
    ).toBe(20);
  });

  test('of an import and a form with the same number one succeeds', async () => {
    for (let round = 0; round < 4; round += 1) {
      const number = `TWIN-${round}`;
      const lines = `employee_number,first_name,last_name,email,entity,department\n${number},Ann,Lee,file${round}@example.com,Acme,Office\n`;
      const [file, form] = await Promise.all([
        hr.upload('/api/employees/import', { name: 'people.csv', content: lines }),
        otherHr.post('/api/employees', {
          employee_number: number.toLowerCase(),
          first_name: 'Ann',
          last_name: 'Lee',
          email: `form${round}@example.com`,
          entity_id: acme.id,
          department_id: office.id,
          joining_date: '2025-03-03',
        }),
      ]);
      expect([201, 422]).toContain(form.status);
      const brought = (file.body.data.counts.created as number) + (form.status === 201 ? 1 : 0);
      expect([brought, file.body.data.counts.failed]).toEqual([1, form.status === 201 ? 1 : 0]);
      expect(await count('select count(*) from employees where lower(employee_number) = lower($1)', [number])).toBe(1);
      expect(
        await count('select count(*) from users where email in ($1, $2)', [
          `file${round}@example.com`,
          `form${round}@example.com`,
        ]),
      ).toBe(1);
    }
  });

  test('people without a number get one each', async () => {
    const answers = await Promise.all(
      times(16, (n) =>
        (n % 2 ? hr : otherHr).post('/api/employees', {
          first_name: 'Nora',
          last_name: 'Numbered',
          email: `numbered${n}@example.com`,
          entity_id: acme.id,
          department_id: office.id,
          joining_date: '2025-03-03',
        }),
      ),
    );
    expect(new Set(statuses(answers))).toEqual(new Set([201]));
    const numbers = answers.map(({ body }) => body.data.employee_number as string);
    expect(new Set(numbers).size).toBe(16);
    for (const number of numbers) expect(number).toMatch(/^ACM-\d{3,}$/);
  });

  test('no person becomes both manager and team lead of a department', async () => {
    const person = await make.employee({ department_id: office.id, roles: ['Manager'] });
    for (let round = 0; round < 4; round += 1) {
      const { id } = await make.department({ entity_id: acme.id });
      const answers = await Promise.all([
        hr.put(`/api/departments/${id}/manager`, { employee_id: person.id }),
        otherHr.put(`/api/departments/${id}/team-lead`, { employee_id: person.id }),
      ]);
      expect(statuses(answers)).toEqual([200, 422]);
      expect(await count('select count(*) from departments where id = $1 and manager_id = team_lead_id', [id])).toBe(0);
    }
  });

  test('a file sent twice is imported once', async () => {
    const lines = times(1_001, (n) => `F-${n},Ann,Lee,f${n}@example.com,Acme,Office`);
    const content = ['employee_number,first_name,last_name,email,entity,department', ...lines].join('\n');
    const answers = await Promise.all(
      [hr, otherHr].map((client) => client.upload('/api/employees/import', { name: 'people.csv', content })),
    );
    expect(statuses(answers)).toEqual([201, 422]);
    expect(Object.keys(answers.find(({ status }) => status === 422)?.body.errors as object)).toEqual(['file']);
    expect(await count("select count(*) from imports where status = 'processing'")).toBe(1);
  });
});
