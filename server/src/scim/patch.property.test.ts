import fc from 'fast-check';
import { scimPatch } from 'scim-patch';
import SCIMMY from 'scimmy';
import { expect, test } from 'vitest';
import { enterpriseSchema, users, userSchema } from './attributes.ts';
import { patchSchema, readPatch } from './operations.ts';
import { applyAll } from './patch.ts';

// Patches by RFC 7644, applied by two third-party libraries and by ours. Excludes what the two libraries disagree
// about: adding an existing element, `primary`, and filters without a match.

const { User, EnterpriseUser } = SCIMMY.Schemas;
// its types expect an instance, its code the class
User.extend(EnterpriseUser as never, false);

type Json = Record<string, unknown>;

const word = fc.stringMatching(/^[A-Za-z0-9 ._@-]{1,12}$/).filter((text) => text.trim() !== '');
const kinds = ['work', 'mobile', 'other', 'home', 'fax'];
const address = (type: string) => word.map((value) => ({ type, value: `${value.replaceAll(' ', '')}@acme.example` }));
const number = (type: string) =>
  fc.integer({ min: 100, max: 999_999 }).map((digits) => ({ type, value: `+49${digits}` }));
const some = (one: (type: string) => fc.Arbitrary<Json>, types: readonly string[]) =>
  fc.subarray([...types], { minLength: 1 }).chain((chosen) => fc.tuple(...chosen.map(one)));

const name = fc.record({ givenName: word, familyName: word, formatted: word }, { requiredKeys: ['givenName'] });
const enterprise = fc.record(
  { employeeNumber: word, department: word, division: word, organization: word },
  { requiredKeys: ['department'] },
);
// the values of an added element are of kinds that no document has
const old = ['work', 'home'];
const document = fc
  .record(
    {
      userName: word,
      displayName: word,
      title: word,
      active: fc.boolean(),
      name,
      emails: some(address, old),
      phoneNumbers: some(number, ['work', 'other', 'home']),
      [enterpriseSchema]: enterprise,
    },
    { requiredKeys: ['userName', 'emails', 'phoneNumbers', 'name', enterpriseSchema] },
  )
  .map((record) => ({ schemas: [userSchema, enterpriseSchema], ...record }));

const put = fc.constantFrom('add', 'replace');
const simple = fc.oneof(
  fc.record({ op: put, path: fc.constantFrom('displayName', 'title', 'userName'), value: word }),
  fc.record({ op: put, path: fc.constant('active'), value: fc.boolean() }),
  fc.record({ op: put, path: fc.constantFrom('name.givenName', 'name.familyName'), value: word }),
  fc.record({ op: fc.constant('remove'), path: fc.constantFrom('displayName', 'title', 'name.formatted') }),
  fc.record({ op: put, path: fc.constant(`${userSchema}:title`), value: word }),
);
const extended = fc.oneof(
  fc.record({ op: put, path: fc.constant(`${enterpriseSchema}:department`), value: word }),
  fc.record({ op: put, path: fc.constant(`${enterpriseSchema}:employeeNumber`), value: word }),
  fc.record({ op: fc.constant('remove'), path: fc.constant(`${enterpriseSchema}:division`) }),
);
const whole = fc.oneof(
  fc.record({ op: fc.constant('replace'), path: fc.constant('emails'), value: some(address, old) }),
  fc.record({ op: fc.constant('replace'), path: fc.constant('phoneNumbers'), value: some(number, kinds) }),
  fc.record({ op: fc.constant('remove'), path: fc.constantFrom('emails', 'phoneNumbers') }),
  fc.record({
    op: put,
    value: fc.record({ displayName: word, title: word, active: fc.boolean() }, { requiredKeys: ['title'] }),
  }),
);
// each document has such an element, until an operation removes it
const element = (emails: readonly Json[]) =>
  fc
    .constantFrom(...emails.map(({ type }) => type as string))
    .chain((type) =>
      fc.oneof(
        fc.record({ op: put, path: fc.constant(`emails[type eq "${type}"].value`), value: word }),
        fc.record({ op: fc.constant('remove'), path: fc.constant(`emails[type eq "${type}"]`) }),
        fc.record({ op: fc.constant('remove'), path: fc.constant(`emails[type ne "${type}"]`) }),
        fc.record({ op: fc.constant('remove'), path: fc.constant(`emails[type eq "${type}" or value ew "nowhere"]`) }),
      ),
    );
const added = fc.record({
  op: fc.constant('add'),
  path: fc.constant('emails'),
  value: address('other').map((one) => [one]),
});
const operations = (emails: readonly Json[]) =>
  fc
    .tuple(fc.array(fc.oneof(simple, extended), { maxLength: 3 }), fc.oneof(simple, whole, added, element(emails)))
    .map(([before, last]) => [...before, last]);

/** Removes missing values and parts that are specific to the library. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value)
    .map(([key, inner]) => [key, plain(inner)] as const)
    .filter(([key, inner]) => !['schemas', 'meta', 'id'].includes(key) && inner !== undefined)
    .filter(([, inner]) => !(Array.isArray(inner) && inner.length === 0))
    .filter(([, inner]) => typeof inner !== 'object' || inner === null || Object.keys(inner).length > 0)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(kept);
}

const copy = <T>(value: T) => JSON.parse(JSON.stringify(value)) as T;

/** scimmy does not accept the schema of the resource itself as a prefix. */
const bare = (sent: Json) =>
  typeof sent['path'] === 'string' ? { ...sent, path: sent['path'].replace(`${userSchema}:`, '') } : sent;

async function byScimmy(resource: Json, sent: Json[]): Promise<unknown> {
  const Operations = copy(sent).map(bare);
  const before = new User(copy(resource), 'both');
  const message = new SCIMMY.Messages.PatchOp({ schemas: [patchSchema], Operations } as never);
  return plain(copy((await message.apply(before as never)) ?? before));
}

const byScimPatch = (resource: Json, sent: Json[]) => plain(scimPatch(copy(resource) as never, copy(sent) as never));

const runs = Number(process.env['SCIM_PATCHES'] ?? 1_000);

test(`${runs} patches come to what scimmy and scim-patch make of them`, async () => {
  const cases = document.chain((resource) =>
    operations(resource['emails']).map((sent) => [resource, sent as Json[]] as const),
  );
  await fc.assert(
    fc.asyncProperty(cases, async ([resource, sent]) => {
      const ours = plain(applyAll(resource, readPatch(users, { schemas: [patchSchema], Operations: sent }).operations));
      expect(ours).toEqual(byScimPatch(resource, sent));
      expect(ours).toEqual(await byScimmy(resource, sent));
    }),
    { numRuns: runs },
  );
}, 120_000);
