import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyGroups } from '../../sso/role-rules.ts';
import { impactOfRules } from './preview.ts';
import { databaseNow } from '../../jobs/task.ts';
import { applyRoleRules } from '../../sso/apply-role-rules.ts';
import { setRulesOf, startCrowd } from '../../testing/crowd-of-provider.ts';

const crowd = await startCrowd(12);
const { owner, deps, provider, connection, scim, links, roles, companies, departments } = crowd;

type Held = Map<string, { entity_ids: number[] | null; department_ids: number[] | null }>;
async function heldNow(): Promise<Held> {
  const { rows } = await owner.query(
    'select user_id, role_id, entity_ids::int[], department_ids::int[] from role_assignments where user_id = any($1)',
    [links.map(({ user_id }) => user_id)],
  );
  return new Map(rows.map(({ user_id, role_id, ...places }) => [`${user_id} ${role_id}`, places]));
}

const companyOf = new Map(departments.map(({ id, entity_id }) => [id, entity_id]));
type Places = { entity_ids: number[] | null; department_ids: number[] | null };
/** An independent check that places lie within others: by the places themselves. */
function liesWithin(one: Places | undefined, other: Places | undefined): boolean {
  if (!one) return true;
  if (!other) return false;
  if (other.entity_ids === null) return true;
  if (one.entity_ids === null) return false;
  const whole = new Set(other.entity_ids);
  return (
    one.entity_ids.every((id) => whole.has(id)) &&
    (one.department_ids ?? []).every(
      (id) => whole.has(companyOf.get(id) ?? 0) || (other.department_ids ?? []).includes(id),
    )
  );
}

function difference(before: Held, after: Held) {
  const gains = new Map<number, number>();
  const losses = new Map<number, number>();
  const people = new Set<string>();
  const count = (in_: Map<number, number>, key: string) => {
    const [account = '', role] = key.split(' ');
    in_.set(Number(role), (in_.get(Number(role)) ?? 0) + 1);
    people.add(account);
  };
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    if (!liesWithin(after.get(key), before.get(key))) count(gains, key);
    if (!liesWithin(before.get(key), after.get(key))) count(losses, key);
  }
  return { gains, losses, people: people.size };
}

const group = fc.constantFrom('a', 'b', 'c', 'd');
const place = fc.oneof(
  fc.constant({ entity_ids: null, department_ids: null }),
  fc.record({
    entity_ids: fc.subarray(companies, { minLength: 1 }),
    department_ids: fc.constant(null),
  }),
  fc.record({
    entity_ids: fc.subarray(companies),
    department_ids: fc.subarray(
      departments.map(({ id }) => id),
      { minLength: 1 },
    ),
  }),
);
const rule = fc.record({ value: group, role_id: fc.constantFrom(...roles), place });
const rules = fc
  .uniqueArray(rule, { maxLength: 8, selector: ({ value, role_id }) => `${value} ${role_id}` })
  .map((all) => all.map(({ place: limits, ...rest }) => ({ ...rest, ...limits })));
const groups = fc.array(fc.option(fc.subarray(['a', 'b', 'c', 'd']), { nil: null }), {
  minLength: links.length,
  maxLength: links.length,
});
const byHand = fc.uniqueArray(
  fc.record({ person: fc.integer({ min: 0, max: links.length - 1 }), role_id: fc.constantFrom(...roles) }),
  { maxLength: 6, selector: ({ person, role_id }) => `${person} ${role_id}` },
);

/** Signs in everyone whose groups are known, like a real sign-in. */
async function signAllIn(known: readonly (string[] | null)[]) {
  for (const [index, link] of links.entries()) {
    const named = known[index] ?? null;
    if (named) await deps.db.transaction().execute((db) => applyGroups({ db }, provider, link, named));
  }
}

const counted = (all: { role: { id: number }; people: number }[]) =>
  new Map(all.map(({ role, people }) => [role.id, people]));
const numRuns = Number(process.env['RULE_RUNS'] ?? 15);

test('a preview says what a sign-in of everyone does', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(groups, byHand, rules, rules, async (known, manual, first, second) => {
      await crowd.reset(manual.map(({ person, role_id }) => ({ user_id: links[person]?.user_id ?? 0, role_id })));
      await setRulesOf(deps.db, provider, first);
      await signAllIn(known);
      const before = await heldNow();
      const impact = await impactOfRules(deps.db, provider, second);
      await setRulesOf(deps.db, provider, second);
      await signAllIn(known);
      const { gains, losses, people } = difference(before, await heldNow());
      expect(counted(impact.gains)).toEqual(gains);
      expect(counted(impact.losses)).toEqual(losses);
      expect(impact.people).toBe(people);
    }),
    { numRuns },
  );
});

/** Adds all groups again, like an identity provider that starts from scratch. */
async function syncAll(known: readonly (string[] | null)[]) {
  const { rows } = await owner.query('select id from scim_groups where connection_id = $1', [connection.id]);
  for (const { id } of rows) await scim.send('DELETE', `/Groups/${id}`);
  for (const name of ['a', 'b', 'c', 'd']) {
    const members = links.filter((_, index) => known[index]?.includes(name));
    await scim.addGroup(
      name,
      members.map(({ scim_id }) => scim_id),
    );
  }
}

test('a preview says what the job and a sync of everyone do, beside a provider', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      groups,
      groups,
      byHand,
      rules,
      rules,
      rules,
      async (known, here, manual, theirs, first, second) => {
        await crowd.reset(manual.map(({ person, role_id }) => ({ user_id: links[person]?.user_id ?? 0, role_id })));
        await setRulesOf(deps.db, provider, theirs);
        await setRulesOf(deps.db, connection, first);
        await signAllIn(known);
        await syncAll(here);
        const before = await heldNow();
        const impact = await impactOfRules(deps.db, connection, second);
        await setRulesOf(deps.db, connection, second);
        await applyRoleRules({ deps, now: await databaseNow(deps.db) }, { scim_connection_id: connection.id });
        const after = await heldNow();
        const { gains, losses, people } = difference(before, after);
        expect(counted(impact.gains)).toEqual(gains);
        expect(counted(impact.losses)).toEqual(losses);
        expect(impact.people).toBe(people);
        await syncAll(here);
        expect(await heldNow()).toEqual(after);
      },
    ),
    { numRuns: Math.ceil(numRuns / 3) },
  );
});
