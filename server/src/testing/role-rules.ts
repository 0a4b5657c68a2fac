import { applyRoleRules } from '../sso/apply-role-rules.ts';
import { databaseNow } from '../jobs/task.ts';
import type { MadeEmployee } from './make.ts';
import { startSso } from './single-sign-on.ts';

export type Rule = { value: string; role_id: number; entity_ids?: number[] | null; department_ids?: number[] };

/** A local person whom the provider knows too. */
export type Known = { subject: string; email: string; person: MadeEmployee };

/** A service with the provider Keycloak, which sends groups, and with the companies Acme and Beta. */
export async function startRoleRules() {
  const { op, as, admin, make, owner, deps, addProvider, come, logged } = await startSso();
  const [acme, beta] = [await make.entity({ name: 'Acme' }), await make.entity({ name: 'Beta' })];
  const buying = await make.department({ entity_id: acme.id });
  const domain = 'acme.example';
  const id = await addProvider({ name: 'Keycloak', domains: [domain], groups_claim: 'groups' });

  const roleIds = new Map(
    (await owner.query('select id, name from roles')).rows.map(({ id: role, name }) => [String(name), Number(role)]),
  );
  const role = (name: string) => roleIds.get(name) as number;

  const urlOf = (provider: number) => `/api/identity-providers/${provider}/role-rules`;
  const readRules = async (provider = id) => (await admin.get(urlOf(provider))).body.data;
  const preview = async (rules: Rule[], provider = id) =>
    (await admin.post(`${urlOf(provider)}/preview`, { rules })).body.data;
  /** Saves rules, and confirms if many people are affected. */
  async function save(rules: Rule[], provider = id) {
    const { confirm } = await preview(rules, provider);
    return admin.put(urlOf(provider), { rules, ...(confirm !== null && { confirm }) });
  }
  const runJob = async (provider = id) =>
    applyRoleRules({ deps, now: await databaseNow(deps.db) }, { provider_id: provider });

  let serial = 0;
  /** A local person whom the provider knows too. */
  async function known(groups?: unknown, fields: Parameters<typeof make.employee>[0] = {}) {
    serial += 1;
    const email = `known${serial}@${domain}`;
    const subject = `sub-${serial}`;
    op.people.set(subject, { email, email_verified: true, ...(groups !== undefined && { groups }) });
    return { subject, email, person: await make.employee({ entity_id: acme.id, email, ...fields }) };
  }
  const regroup = ({ subject }: Known, groups: unknown) =>
    op.people.set(subject, { ...op.people.get(subject), groups });
  const rolesOf = async ({ person }: Known) =>
    (
      await owner.query(
        `select r.name, a.source, a.entity_ids::int[], a.department_ids::int[] from role_assignments a
         join roles r on r.id = a.role_id where a.user_id = $1 order by r.name`,
        [person.user_id],
      )
    ).rows.map(({ name, source, entity_ids, department_ids }) => [
      name,
      source,
      entity_ids ?? 'all',
      ...(department_ids ? [department_ids] : []),
    ]);
  const plain = ['Employee', 'manual', 'all'];
  const changesOf = async ({ person }: Known) =>
    (
      await owner.query(
        `select actor_name, changes, reason from audit_log where action = 'employee.roles_changed' and subject_id = $1 order by id`,
        [person.id],
      )
    ).rows;

  const hrOfAcme: Rule = { value: 'hr', role_id: role('HR'), entity_ids: [acme.id] };
  return {
    op,
    as,
    admin,
    make,
    owner,
    deps,
    addProvider,
    come,
    logged,
    acme,
    beta,
    buying,
    domain,
    id,
    role,
    urlOf,
    readRules,
    preview,
    save,
    runJob,
    known,
    regroup,
    rolesOf,
    plain,
    changesOf,
    hrOfAcme,
  };
}
