import type { AccessAnswer } from '@tenure/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import type { Client } from '../../testing/client.ts';
import type { MadeEmployee } from '../../testing/make.ts';

const { as, make, deps, owner } = await startApp({ RATE_LIMIT_PER_MINUTE: '1000000' });

const [north, south] = [await make.entity({ name: 'North' }), await make.entity({ name: 'South' })];
const buying = await make.department({ entity_id: north.id, name: 'Buying' });
const office = await make.department({ entity_id: north.id, name: 'Office', parent_id: buying.id });
const stores = await make.department({ entity_id: south.id, name: 'Stores' });
const hrPerson = await make.employee({ department_id: office.id, roles: ['HR'] });
const hr = await as(hrPerson.user_id);
const head = await make.employee({ department_id: buying.id, roles: ['Manager', 'Employee'] });
await deps.db.updateTable('departments').set({ manager_id: head.id }).where('id', '=', buying.id).execute();
const ann = await make.employee({ department_id: office.id, reporting_manager_id: hrPerson.id });
const far = await make.employee({ department_id: stores.id, reporting_manager_id: head.id });
const northHr = await make.employee({ department_id: buying.id, roles: [{ role: 'HR', entity_ids: [north.id] }] });

async function explain(client: Client, person: { id: number }, user: { user_id: number }) {
  const { status, body } = await client.get(`/api/employees/${person.id}/access?user_id=${user.user_id}`);
  expect([status, body.errors]).toEqual([200, undefined]);
  return new Map((body.data.answers as AccessAnswer[]).map((answer) => [answer.action, answer]));
}

test('it names the role, its scope, and the department it applies through', async () => {
  const [near, direct] = [await explain(hr, ann, head), await explain(hr, far, head)];
  expect(near.get('view')).toEqual({
    action: 'view',
    permission: 'employees.view',
    allowed: true,
    because: [
      {
        role: { id: expect.any(Number), name: 'Manager' },
        permission: 'employees.view',
        scope: 'department',
        entities: null,
        department: { id: office.id, name: 'Office' },
      },
    ],
    missing: null,
  });
  expect(direct.get('view')?.because).toMatchObject([{ scope: 'team', department: null }]);
  expect((await explain(hr, ann, ann)).get('view_private')).toMatchObject({
    allowed: true,
    because: [{ role: { name: 'Employee' }, scope: 'self' }],
  });
  expect((await explain(hr, ann, hrPerson)).get('update')?.because).toMatchObject([
    { role: { name: 'HR' }, scope: 'all' },
  ]);
  expect((await explain(hr, ann, northHr)).get('update')?.because).toMatchObject([
    { scope: 'entity', entities: [{ id: north.id, name: 'North' }] },
  ]);
});

test('it names the first missing condition', async () => {
  const admin = await make.employee({ department_id: buying.id, roles: ['Admin'] });
  const asleep = await make.employee({ department_id: buying.id, activity_status: 'inactive' });
  const reasonOf = async (person: { id: number }, user: { user_id: number }, action: AccessAnswer['action']) =>
    (await explain(hr, person, user)).get(action)?.missing?.reason;
  expect(await reasonOf(ann, head, 'update')).toBe('permission');
  expect(await reasonOf(far, northHr, 'update')).toBe('scope');
  expect(await reasonOf(far, ann, 'view')).toBe('scope');
  expect(await reasonOf(hrPerson, hrPerson, 'deactivate')).toBe('own_record');
  expect(await reasonOf(admin, hrPerson, 'update')).toBe('administrator');
  expect(await reasonOf(ann, hrPerson, 'reactivate')).toBe('state');
  expect(await reasonOf(ann, asleep, 'view')).toBe('sign_in');
});

test("person and account must lie in the caller's scope", async () => {
  const client = await as(northHr.user_id);
  expect((await client.get(`/api/employees/${far.id}/access?user_id=${ann.user_id}`)).status).toBe(404);
  const outside = await client.get(`/api/employees/${ann.id}/access?user_id=${far.user_id}`);
  const absent = await client.get(`/api/employees/${ann.id}/access?user_id=987654`);
  expect([outside.status, outside.body]).toEqual([absent.status, absent.body]);
  expect(absent.body.errors).toEqual({ user_id: ['This account isn’t available. Select another one.'] });
  const alone = await make.admin();
  expect((await client.get(`/api/employees/${ann.id}/access?user_id=${alone.user_id}`)).status).toBe(422);
  expect((await explain(hr, ann, alone)).get('update')?.because).toMatchObject([{ role: { name: 'Admin' } }]);
  expect((await client.get(`/api/employees/${ann.id}/access`)).body.errors).toEqual({
    user_id: ['The account field is required.'],
  });
  const manager = await as(head.user_id);
  expect((await manager.get(`/api/employees/${ann.id}/access?user_id=${ann.user_id}`)).status).toBe(403);
  expect((await manager.get(`/api/employees/${ann.id}/roles`)).status).toBe(403);
  expect((await client.get(`/api/employees/${far.id}/roles`)).status).toBe(404);
});

test('the roles of a person are returned with their permissions, each with its source', async () => {
  const { body } = await hr.get(`/api/employees/${head.id}/roles`);
  const { assignments, permissions, manages } = body.data;
  expect(assignments.map(({ role, scope }: { role: string; scope: string }) => [role, scope])).toEqual([
    ['Employee', 'own'],
    ['Manager', 'managed'],
  ]);
  const becauseOf = (wanted: string) =>
    permissions
      .find(({ name }: { name: string }) => name === wanted)
      ?.because.map(({ role }: { role: string }) => role) as string[] | undefined;
  expect(becauseOf('employees.view')).toEqual(['Employee', 'Manager']);
  expect(becauseOf('departments.view')).toEqual(['Manager']);
  expect(becauseOf('employees.update')).toBeUndefined();
  expect(manages).toEqual({
    departments: [
      { id: buying.id, name: 'Buying' },
      { id: office.id, name: 'Office' },
    ],
    direct_reports: 1,
  });
  const self = await as(head.user_id);
  expect(permissions.map(({ name }: { name: string }) => name).sort()).toEqual(
    (await self.get('/api/me')).body.data.permissions,
  );
});

test('departments that a person heads are named as far as the reader sees them', async () => {
  const client = await as(northHr.user_id);
  const abroad = await make.department({ entity_id: south.id, name: 'Zorbworks', manager_id: head.id });
  const named = async (reader: Client) =>
    (await reader.get(`/api/employees/${head.id}/roles`)).body.data.manages.departments.map(
      ({ name }: { name: string }) => name,
    ) as string[];
  expect([await named(client), await named(hr)]).toEqual([
    ['Buying', 'Office'],
    ['Buying', 'Office', 'Zorbworks'],
  ]);
  await deps.db.deleteFrom('departments').where('id', '=', abroad.id).execute();
});

/** The response to a real request of the account; 422 comes only after all permission checks. */
const requests: Partial<Record<AccessAnswer['action'], [method: string, path: string]>> = {
  update: ['PUT', ''],
  confirm: ['POST', '/confirm'],
  deactivate: ['POST', '/deactivate'],
  separate: ['POST', '/separate'],
  'withdraw-separation': ['POST', '/withdraw-separation'],
  reactivate: ['POST', '/reactivate'],
  rehire: ['POST', '/rehire'],
  'job-history': ['POST', '/job-history'],
  absences: ['POST', '/absences'],
  'past-jobs': ['POST', '/past-jobs'],
  'add-file': ['POST', '/attachments'],
  restore: ['POST', '/restore'],
};

async function compare(client: Client, person: MadeEmployee, answers: Map<string, AccessAnswer>) {
  const seen = await client.get(`/api/employees/${person.id}`);
  const signsIn = answers.get('view')?.missing?.reason !== 'sign_in';
  expect(seen.status).toBe(answers.get('view')?.allowed ? 200 : signsIn ? 404 : 401);
  const data = seen.status === 200 ? seen.body.data : { allowed_actions: [] };
  const opened = await client.get(`/api/employees/${person.id}?reveal=private`);
  expect(['employment_lifecycle' in data, opened.status === 200 && 'date_of_birth' in opened.body.data]).toEqual([
    answers.get('view_work')?.allowed,
    answers.get('view_private')?.allowed,
  ]);
  const verbs = [...answers.values()].filter(({ action }) => !action.startsWith('view'));
  const allowed = verbs.filter((answer) => answer.allowed).map(({ action }) => action);
  expect(allowed).toEqual(data.allowed_actions);
  for (const [action, [method, path]] of Object.entries(requests)) {
    const answer = answers.get(action) as AccessAnswer;
    const { status } = await client.send(method, `/api/employees/${person.id}${path}`, {
      body: { revision: 'none', reason: 5, effective_from: 5 },
    });
    const isPermitted = answer.allowed || answer.missing?.reason === 'state';
    expect([action, status, answer.missing?.reason ?? null, isPermitted]).toEqual([
      action,
      status,
      answer.missing?.reason ?? null,
      status === 422,
    ]);
  }
}

const roleNames = ['HR', 'Manager', 'TeamLead', 'Employee', 'Admin'] as const;
const limitable = new Set<string>(['HR', 'Manager', 'TeamLead']);
const roleSets = [
  ...roleNames.map((name) => [name]),
  ['HR', 'Manager'],
  ['HR', 'Employee'],
  ['Manager', 'Employee'],
] as const;

test('for any organisation and roles it agrees with a real request of that account', { timeout: 120_000 }, async () => {
  expect.hasAssertions();
  const departments = [buying, office, stores];
  const limit = fc.constantFrom(null, null, [north.id], [south.id]);
  const role = (name: (typeof roleNames)[number]) =>
    limit.map((entity_ids) => (entity_ids && limitable.has(name) ? { role: name, entity_ids: [...entity_ids] } : name));
  const actor = fc.record({
    department: fc.constantFrom(...departments),
    roles: fc.constantFrom(...roleSets).chain((names) => fc.tuple(...names.map(role))),
    leads: fc.constantFrom(null, ...departments),
    activity_status: fc.constantFrom('active', 'active', 'active', 'inactive'),
  });
  const subject = fc.record({
    department: fc.constantFrom(...departments),
    relation: fc.constantFrom('none', 'report', 'self'),
    activity_status: fc.constantFrom('active', 'inactive'),
    employment_lifecycle: fc.constantFrom('probationary', 'confirmed', 'resigned'),
    roles: fc.constantFrom(['Employee'] as const, ['Admin'] as const, ['Employee', 'HR'] as const),
  });
  await fc.assert(
    fc.asyncProperty(actor, subject, async (who, whom) => {
      const { activity_status, roles } = who;
      const made = await make.employee({ department_id: who.department.id, roles, activity_status });
      if (who.leads)
        await deps.db.updateTable('departments').set({ manager_id: made.id }).where('id', '=', who.leads.id).execute();
      const { department, relation, roles: theirs, ...state } = whom;
      const person =
        relation === 'self'
          ? made
          : await make.employee({
              ...state,
              department_id: department.id,
              roles: theirs,
              reporting_manager_id: relation === 'report' ? made.id : null,
            });
      const admin = await as((await make.admin()).user_id);
      await compare(await as(made.user_id), person, await explain(admin, person, made));
      await owner.query('update departments set manager_id = null');
    }),
    { numRuns: 120, seed: 4_711 },
  );
});
