import { describe, expect, test } from 'vitest';
import { startRoleRules } from '../../testing/role-rules.ts';

const { admin, make, come, acme, beta, id, role, save, known, regroup, rolesOf, plain, hrOfAcme } =
  await startRoleRules();

describe('by hand', () => {
  test('a role of a provider is marked, stays while it is sent as it is, and cannot be taken away', async () => {
    await save([hrOfAcme]);
    const zoe = await known(['hr']);
    await come(zoe.subject, id);
    const url = `/api/employees/${zoe.person.id}/roles`;
    const { assignments } = (await admin.get(url)).body.data;
    expect(assignments).toMatchObject([
      { role: 'Employee', removable: true, provider: null },
      { role: 'HR', removable: false, provider: { id, name: 'Keycloak' } },
    ]);
    const [employee, hr] = [{ role_id: role('Employee') }, { role_id: role('HR'), entity_ids: [acme.id] }];
    const put = (sent: unknown[]) => admin.put(url, { assignments: sent });
    expect((await put([employee])).body.errors).toEqual({
      assignments: [
        'The role HR comes from Keycloak. Take the person out of the group there, or change the rules of Keycloak.',
      ],
    });
    expect((await put([employee, hr, { role_id: role('Manager') }])).status).toBe(200);
    expect(await rolesOf(zoe)).toEqual([plain, ['HR', 'provider', [acme.id]], ['Manager', 'manual', 'all']]);
    // without another role the person keeps the default one, because a provider's role may end at any time
    expect((await put([hr])).status).toBe(200);
    expect(await rolesOf(zoe)).toEqual([plain, ['HR', 'provider', [acme.id]]]);
    // with other limits, it is a manual role
    expect((await put([employee, { ...hr, entity_ids: [acme.id, beta.id] }])).status).toBe(200);
    regroup(zoe, []);
    await come(zoe.subject, id);
    expect(await rolesOf(zoe)).toEqual([plain, ['HR', 'manual', [acme.id, beta.id]]]);
  });

  test('a form that was opened before a rule changed the roles is out of date', async () => {
    await save([hrOfAcme]);
    const amy = await known(['hr']);
    const { revision } = (await admin.get(`/api/employees/${amy.person.id}`)).body.data;
    await come(amy.subject, id);
    const assignments = [{ role_id: role('Employee') }];
    const { body } = await admin.put(`/api/employees/${amy.person.id}/roles`, { assignments, revision });
    expect(body.errors).toEqual({ status: [expect.any(String)] });
    expect(await rolesOf(amy)).toHaveLength(2);
  });

  test('a department that a rule names cannot be deleted', async () => {
    const named = await make.department({ entity_id: acme.id });
    await save([{ value: 'x', role_id: role('HR'), entity_ids: [], department_ids: [named.id] }]);
    expect((await admin.delete(`/api/departments/${named.id}`)).status).toBe(422);
    await save([]);
    expect((await admin.delete(`/api/departments/${named.id}`)).status).toBe(204);
  });
});
