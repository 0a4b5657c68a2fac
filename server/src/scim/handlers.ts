import type { HTTPMethods } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import { groups, users } from './attributes.ts';
import type { Call } from './connection.ts';
import { isWanted, select } from './documents.ts';
import { isUuid } from './filter-sql.ts';
import { groupBody, isLarge, listGroups, lockGroup, readGroup } from './groups-read.ts';
import { createGroup, deleteGroup, patchGroup, putGroup } from './groups-write.ts';
import type { Document } from './patch.ts';
import { badSyntax, noSuch, ScimProblem } from './problem.ts';
import { readPage, readSelection } from './query.ts';
import { configBody, listBody, schemaBodies, typeBodies } from './schemas.ts';
import { listUsers, lockUser, readUser, userBody } from './users-read.ts';
import type { UserRow } from './users-read.ts';
import { isObject } from './values.ts';
import { createUser, deleteUser, patchUser, putUser } from './users-write.ts';

export type Input = {
  id: string;
  query: Readonly<Record<string, unknown>>;
  body: unknown;
  headers: IncomingHttpHeaders;
  documentation: string;
};

export type Answer = { status: number; body?: unknown; etag?: string; location?: string };

export type Handler = {
  method: HTTPMethods;
  url: string;
  handle: (call: Call, input: Input) => Promise<Answer>;
};

const versionOf = (body: Document) => (body['meta'] as { version: string }).version;
const locationOf = (body: Document) => (body['meta'] as { location: string }).location;

/** Whether a header contains the tag; `*` matches any. */
const holdsTag = (header: string, tag: string) =>
  header
    .split(',')
    .map((one) => one.trim())
    .some((one) => one === '*' || one === tag);

/** Refuses to change another version than the one that the client read (RFC 7644, 3.14). */
function checkVersion({ headers }: Input, body: Document) {
  const wanted = headers['if-match'];
  if (wanted !== undefined && !holdsTag(wanted, versionOf(body)))
    throw new ScimProblem(412, 'The resource has changed since.');
}

/** A resource as an answer, with the attributes that the client wants. */
function shown(resource: typeof users, body: Document, { query }: Input, status = 200): Answer {
  const document = select(resource, body, readSelection(query));
  return { status, body: document, etag: versionOf(body), ...(status === 201 && { location: locationOf(body) }) };
}

const unlessKnown = (answer: Answer, { headers }: Input): Answer => {
  const known = headers['if-none-match'];
  return known !== undefined && answer.etag && holdsTag(known, answer.etag)
    ? { status: 304, etag: answer.etag }
    : answer;
};

const checkId = ({ id }: Input, resource: string) => {
  if (!isUuid(id)) throw noSuch(resource);
};

const forChange = async (call: Call, input: Input): Promise<UserRow> => {
  checkId(input, 'user');
  call.note.target = input.id;
  const row = await lockUser(call, input.id);
  checkVersion(input, userBody(call, row));
  return row;
};

const ofUsers: Handler[] = [
  {
    method: 'GET',
    url: '/Users',
    handle: async (call, { query }) => {
      const page = readPage(query);
      const { rows, total } = await listUsers(call, page);
      const bodies = rows.map((row) => select(users, userBody(call, row), page.selection));
      return { status: 200, body: listBody(bodies, total, page.startIndex) };
    },
  },
  {
    method: 'POST',
    url: '/Users',
    handle: async (call, input) => shown(users, userBody(call, await createUser(call, input.body)), input, 201),
  },
  {
    method: 'GET',
    url: '/Users/:id',
    handle: async (call, input) => {
      checkId(input, 'user');
      return unlessKnown(shown(users, userBody(call, await readUser(call, input.id)), input), input);
    },
  },
  ...[['PUT', putUser] as const, ['PATCH', patchUser] as const].map(([method, write]): Handler => ({
    method,
    url: '/Users/:id',
    handle: async (call, input) => {
      const row = await forChange(call, input);
      return shown(users, userBody(call, await write(call, row, input.body)), input);
    },
  })),
  {
    method: 'DELETE',
    url: '/Users/:id',
    handle: async (call, input) => {
      await deleteUser(call, await forChange(call, input));
      return { status: 204 };
    },
  },
];

const groupForChange = async (call: Call, input: Input) => {
  checkId(input, 'group');
  call.note.target = input.id;
  const row = await lockGroup(call, input.id);
  checkVersion(input, groupBody(call, row));
  return row;
};

const ofGroups: Handler[] = [
  {
    method: 'GET',
    url: '/Groups',
    handle: async (call, { query }) => {
      const page = readPage(query);
      const { rows, total } = await listGroups(call, page, isWanted(groups, 'members', page.selection));
      const bodies = rows.map((row) => select(groups, groupBody(call, row), page.selection));
      return { status: 200, body: listBody(bodies, total, page.startIndex) };
    },
  },
  {
    method: 'POST',
    url: '/Groups',
    handle: async (call, input) => shown(groups, groupBody(call, await createGroup(call, input.body)), input, 201),
  },
  {
    method: 'GET',
    url: '/Groups/:id',
    handle: async (call, input) => {
      checkId(input, 'group');
      const withMembers = isWanted(groups, 'members', readSelection(input.query));
      return unlessKnown(shown(groups, groupBody(call, await readGroup(call, input.id, withMembers)), input), input);
    },
  },
  {
    method: 'PUT',
    url: '/Groups/:id',
    handle: async (call, input) => {
      await putGroup(call, await groupForChange(call, input), input.body);
      return shown(groups, groupBody(call, await readGroup(call, input.id)), input);
    },
  },
  {
    method: 'PATCH',
    url: '/Groups/:id',
    handle: async (call, input) => {
      const row = await patchGroup(call, await groupForChange(call, input), input.body);
      // with thousands of members, an answer would cost more than the change
      if (await isLarge(call, row)) return { status: 204, etag: versionOf(groupBody(call, row)) };
      return shown(groups, groupBody(call, await readGroup(call, row.id)), input);
    },
  },
  {
    method: 'DELETE',
    url: '/Groups/:id',
    handle: async (call, input) => {
      await deleteGroup(call, await groupForChange(call, input));
      return { status: 204 };
    },
  },
];

const config: Handler = {
  method: 'GET',
  url: '/ServiceProviderConfig',
  handle: async ({ base }, { documentation }) => ({ status: 200, body: configBody(base, documentation) }),
};

/** A list of what the service says about itself, and each entry by its id. */
const describing = (url: string, resource: string, bodies: (base: string) => { id: string }[]): Handler[] => [
  {
    method: 'GET',
    url,
    handle: async ({ base }, { query }) => {
      // these lists take no filter (RFC 7644, 4)
      if (query['filter'] !== undefined) throw new ScimProblem(403, 'This list takes no filter.');
      return { status: 200, body: listBody(bodies(base), bodies(base).length) };
    },
  },
  {
    method: 'GET',
    url: `${url}/:id`,
    handle: async ({ base }, { id }) => {
      const body = bodies(base).find((one) => one.id.toLowerCase() === id.toLowerCase());
      if (!body) throw noSuch(resource);
      return { status: 200, body };
    },
  },
];

const searchSchema = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';
const parameters = ['filter', 'startIndex', 'count', 'attributes', 'excludedAttributes'] as const;

/** A list requested with a body, for filters that must not appear in a URL (RFC 7644, 3.4.3). */
function searchOf(list: Handler): Handler {
  return {
    method: 'POST',
    url: `${list.url}/.search`,
    handle: (call, input) => {
      const body = isObject(input.body) ? input.body : {};
      if (!Array.isArray(body['schemas']) || !body['schemas'].includes(searchSchema))
        throw badSyntax(`A search has the schema ${searchSchema}.`);
      const named = parameters.filter((name) => body[name] !== undefined && body[name] !== null);
      const query = named.map((name) => [name, typeof body[name] === 'number' ? String(body[name]) : body[name]]);
      return list.handle(call, { ...input, query: Object.fromEntries(query) as Input['query'] });
    },
  };
}

const refusing = (methods: readonly HTTPMethods[], url: string, refusal: () => ScimProblem): Handler[] =>
  methods.map((method) => ({
    method,
    url,
    handle: async () => {
      throw refusal();
    },
  }));

const anyMethod: readonly HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const described = [
  config,
  ...describing('/ResourceTypes', 'resource type', typeBodies),
  ...describing('/Schemas', 'schema', schemaBodies),
];
/** Users, then groups; a filter on attributes that a resource does not have matches nothing there. */
const everything: Handler = {
  method: 'GET',
  url: '',
  handle: async (call, { query }) => {
    const page = readPage(query);
    const part = async <T>(list: () => Promise<{ rows: T[]; total: number }>) =>
      list().catch((error: unknown) => {
        if (error instanceof ScimProblem && error.scimType === 'invalidFilter') return { rows: [], total: 0 };
        throw error;
      });
    const found = await part(() => listUsers(call, page));
    const rest = { ...page, offset: Math.max(0, page.offset - found.total), count: page.count - found.rows.length };
    const more = await part(() => listGroups(call, rest, isWanted(groups, 'members', page.selection)));
    const bodies = [
      ...found.rows.map((row) => select(users, userBody(call, row), page.selection)),
      ...more.rows.map((row) => select(groups, groupBody(call, row), page.selection)),
    ];
    return { status: 200, body: listBody(bodies, found.total + more.total, page.startIndex) };
  },
};

const lists = [...ofUsers, ...ofGroups].filter(({ url, method }) => method === 'GET' && !url.endsWith(':id'));
const known = [...ofUsers, ...ofGroups, ...[...lists, everything].map(searchOf), ...described];

/** The methods that an address does not support. */
const otherMethods = [...new Set(known.map(({ url }) => url))].flatMap((url) => {
  const methods = new Set(known.filter((one) => one.url === url).map(({ method }) => method));
  const others = anyMethod.filter((method) => !methods.has(method));
  return refusing(others, url, () => new ScimProblem(405, `This address knows ${[...methods].join(', ')}.`));
});

/** Every address below `/scim/v2`. */
export const handlers: readonly Handler[] = [
  ...known,
  ...otherMethods,
  ...refusing(anyMethod, '/Me', () => new ScimProblem(501, 'There is no user behind a connection.')),
  ...refusing(['POST'], '/Bulk', () => new ScimProblem(501, 'Requests in bulk are not supported.')),
  ...refusing(anyMethod, '/*', () => noSuch('resource')),
];
