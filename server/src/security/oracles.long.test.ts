import { Employee, employeeFieldGroups, EvaluationItem, KpiEvaluation, ProbationReview } from '@tenure/contract';
import { expect, test } from 'vitest';
import type * as z from 'zod';
import { permissionsOf } from '../access/matrix.ts';
import { budgets } from '../http/limits.ts';
import { startApp } from '../testing/app.ts';
import { plantCanaries } from '../testing/canaries.ts';
import type { Reader } from '../testing/canary-readers.ts';
import { clientFor } from '../testing/client.ts';
import type { Client } from '../testing/client.ts';
import { getInTurn } from '../testing/one-at-a-time.ts';
import { questionsOf } from './oracle-questions.ts';
import type { Questions } from './oracle-questions.ts';
import { secretsOf } from './oracle-secrets.ts';
import { plantOracles, setSecrets } from './oracle-values.ts';

/**
 * A hidden value affects no response: no order, no result of a filter or search, no total. Each reader asks every
 * question twice, while all values hidden from that reader change in between: both responses are equal byte for byte.
 */

// one minute of this test counts as many days of exports
const usual = { ...budgets };
Object.assign(budgets, { export: 1_000_000, lookup: 1_000_000 });
const app = await startApp({ RATE_LIMIT_PER_MINUTE: '1000000', DIRECTORY: 'off' });
Object.assign(budgets, usual);

const canaries = await plantCanaries(app);
const planted = await plantOracles(app, canaries);
const secrets = secretsOf(canaries, planted);
const everybody = Object.keys(canaries.people) as Reader[];
const signedIn = everybody.map(async (reader) => {
  // the canary test has checked the responses against the API document
  const client = await clientFor(app.app, app.deps, canaries.people[reader].user_id);
  return [reader, client] as const;
});
const clients = Object.fromEntries(await Promise.all(signedIn)) as Record<Reader, Client>;
const questions = questionsOf(planted.ids, Temporal.Now.instant().toString({ fractionalSecondDigits: 3 }));

/** A response without times and revisions, which any write changes. For binary files, only the status counts. */
async function answerTo(client: Client, url: string): Promise<string> {
  const { status, bytes, headers } = await getInTurn(client, url);
  if (status === 429 || status >= 500) throw new Error(`${url} answers ${status}`);
  if (!/json|csv/.test(String(headers['content-type']))) return String(status);
  const text = bytes.toString().replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'then');
  return `${status} ${text.replaceAll(/"revision":\d+/g, '"revision":0')}`;
}

type Answers = ReadonlyMap<string, string>;
const atOnce = 12;

async function answersTo(client: Client, urls: Iterable<string>): Promise<Answers> {
  const found = new Map<string, string>();
  const waiting = urls[Symbol.iterator]();
  const ask = async () => {
    for (let next = waiting.next(); !next.done; next = waiting.next())
      found.set(next.value, await answerTo(client, next.value));
  };
  await Promise.all(Array.from({ length: atOnce }, ask));
  return found;
}

/** The endpoints that the reader's permissions allow; others are refused before any row is read. */
async function openTo(client: Client): Promise<Questions[]> {
  const held: readonly string[] = (await client.get('/api/me')).body.data.permissions;
  return questions.filter(({ endpoint }) => permissionsOf(endpoint)?.some((name) => held.includes(name)) ?? true);
}

/** The number of listed rows; many for other responses, none for a refusal. */
function rowsOf(answer: string): number {
  if (/^40[34]/.test(answer)) return 0;
  if (!answer.startsWith('200 {')) return answer.split('\n').length - 2;
  return Number(/"total":(\d+)[,}]/.exec(answer)?.[1] ?? Infinity);
}

/** Every question of a reader with its response: an empty list has no filters, a single row no order. */
async function everythingAsked(client: Client): Promise<Answers> {
  const open = await openTo(client);
  const plain = await answersTo(
    client,
    open.map((one) => one.plain),
  );
  const further = open.flatMap(({ plain: url, orders, filters }) => {
    const rows = rowsOf(plain.get(url) ?? '');
    return [...(rows > 1 ? orders : []), ...(rows > 0 ? filters : [])];
  });
  return new Map([...plain, ...(await answersTo(client, further))]);
}

const differing = (before: Answers, after: Answers) =>
  [...before].flatMap(([url, answer]) => (after.get(url) === answer ? [] : [url]));

/** Days of every time zone begin at a quarter of an hour. */
const quarterHour = () => Math.floor(Date.now() / 900_000);

/** The questions whose answers change with values that are hidden from a reader. */
async function revealing(reader: Reader): Promise<string[]> {
  const began = quarterHour();
  const hidden = secrets.filter(({ seen }) => !seen.includes(reader));
  await setSecrets(app, secrets, 'first');
  // the hidden rows were updated last, in both rounds
  await setSecrets(app, hidden, 'second');
  await setSecrets(app, hidden, 'first');
  const before = await everythingAsked(clients[reader]);
  await setSecrets(app, hidden, 'second');
  const after = await answersTo(clients[reader], before.keys());
  // a new day changes answers too
  return quarterHour() === began ? differing(before, after) : revealing(reader);
}

test.each(everybody)(
  '%s gets the same answers whatever the hidden values are',
  { timeout: 180_000 },
  async (reader) => {
    expect(await revealing(reader)).toEqual([]);
  },
);

test('each secret is shown to a permitted reader', async () => {
  await setSecrets(app, secrets, 'first');
  for (const secret of secrets) {
    const [reader] = secret.seen as [Reader];
    const before = await answerTo(clients[reader], secret.at);
    await setSecrets(app, [secret], 'second');
    expect(before, secret.name).toMatch(/^200 /);
    expect(await answerTo(clients[reader], secret.at), secret.name).not.toBe(before);
    await setSecrets(app, [secret], 'first');
  }
});

/** Lists whose responses change with the secrets for a reader with full access. */
const dependentLists = {
  '/api/employees': [
    'sort_by=employment_lifecycle',
    'sort_by=joining_date',
    'sort_by=probation_end_date',
    'employment_lifecycle=',
    'employment_type=',
    'role_id=',
    'joined_from=',
    'joined_to=',
    'probation_ends_from=',
    'probation_ends_to=',
    'missing=sign_in',
    'sign_in=not_invited',
    'sign_in=active',
    'search=',
  ],
  '/api/kpi-evaluations': [
    'sort_by=overall_score',
    'sort_by=overall_percentage',
    'performance_flag=',
    'band=',
    'search=',
  ],
  '/api/probation-reviews': ['recommendation=', 'status=', 'search='],
  '/api/search': ['q='],
};

test.each(Object.entries(dependentLists))(
  'orders, filters and searches of %s depend on the secrets for HR',
  async (path, expected) => {
    const orders = (answer: string) => [...answer.matchAll(/"id":\d+/g)].join();
    const urls = questions.flatMap(({ plain, orders: sorts, filters }) =>
      plain.split('?')[0] === path ? [...sorts, ...filters] : [],
    );
    const ask = async (which: 'first' | 'second') => {
      await setSecrets(app, secrets, which);
      const found = await answersTo(clients.hr, urls);
      return new Map([...found].map(([url, answer]) => [url, orders(answer)]));
    };
    const differ = differing(await ask('first'), await ask('second')).map((url) => new URL(url, 'http://x').search);
    const missing = expected.filter((name) => !differ.some((search) => search.includes(name)));
    expect(missing).toEqual([]);
  },
);

/** Fields that are absent from some responses. */
const optional = ({ shape }: z.ZodObject) =>
  Object.entries(shape).flatMap(([name, field]) => ((field as z.ZodType).safeParse(undefined).success ? [name] : []));

/** Fields derived from others or from the reader, and decision fields, which all readers in scope see. */
const derived = new Set(
  [
    'as_of',
    'absence',
    'private_details',
    'responsibilities',
    'deleted_at',
    'early_access',
    'roles',
    'user',
    'self_overall_score',
  ].concat(
    ['explain', 'previous', 'signatures', 'extensions', 'criteria', 'criteria_score', 'extension_months', 'outcome'],
    [
      'outcome_extension_months',
      'extended_until',
      'effective_date',
      'decided_by',
      'employee_acknowledged_at',
      'revert_reason',
    ],
    [
      'employee_comment',
      'talked_on',
      'acknowledgement_recorded_by',
      'sheet',
      'probation_start_date',
      'achievement_pct',
      'criteria_fixed',
      'paused_from',
      'band_name',
    ],
  ),
);

test('every address is answered without parameters', async () => {
  const found = await answersTo(
    clients.admin,
    questions.map(({ plain }) => plain),
  );
  expect([...found].filter(([, answer]) => answer.startsWith('422'))).toEqual([]);
});

test('every field that is hidden from some readers is among the secrets', () => {
  const columns = new Set(secrets.flatMap(({ parts }) => parts.flatMap(({ values }) => Object.keys(values))));
  const { work, private: sensitive } = employeeFieldGroups;
  const fields = [
    ...work,
    ...sensitive,
    ...[Employee, KpiEvaluation, EvaluationItem, ProbationReview].flatMap(optional),
  ];
  expect(fields.filter((name) => !columns.has(name) && !derived.has(name))).toEqual([]);
});
