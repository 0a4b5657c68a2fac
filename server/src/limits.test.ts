import { readFileSync } from 'node:fs';
import {
  maxAnnouncements,
  bulkEvaluationsAtOnce,
  maxBulkEvaluations,
  maxCyclePeople,
  maxBulkPeople,
  maxPreferencesSize,
  maxSavedViews,
  maxCancelled,
  maxReplayed,
  maxFeeds,
  maxTokens,
  maxWebhooks,
} from '@tenure/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { waitTimeout, tryLimits } from './access/login-limits.ts';
import { requestsPerAccount } from './access/requested-resets.ts';
import { readConfig } from './config.ts';
import { hashQueue } from './crypto/hash-pool.ts';
import { DECODE_SECONDS, MAX_PIXELS, MAX_SIGNATURE_PIXELS, pictureTurns } from './files/pictures.ts';
import { receiverLimits } from './features/webhooks/sending/post.ts';
import { requestsPerAddress } from './features/account-links/requests.ts';
import { maxEntries } from './features/calendar-feeds/entries.ts';
import { feedReadsPerHour } from './features/calendar-feeds/server.ts';
import { secondsBetweenTests as secondsBetweenChatTests } from './features/chat-targets/send.ts';
import { secondsBetweenTests } from './features/notifications/test-send.ts';
import { bodyLimit, plainSeconds } from './http/body.ts';
import { lingering } from './http/drain.ts';
import { maxNamed } from './http/errors.ts';
import { maxWaiting } from './http/event-stream.ts';
import { badTokensPerMinute, budgets, guestsPerMinute, lookedUpPerMinute } from './http/limits.ts';
import { refused } from './http/listener.ts';
import { tableTurns } from './imports/upload.ts';
import { inJobTransaction } from './jobs/task.ts';
import { mailTimeout } from './mail/mailer.ts';
import { giveUpAfterHours } from './notifications/deliver.ts';
import { maxPerHour } from './notifications/due.ts';
import { perPerson } from './notifications/live.ts';
import { maxSignatures } from './features/probation-reviews/signatures.ts';
import { drawingQueue } from './pdf/render.ts';
import { scimRequestsPerMinute } from './scim/server.ts';
import { badSignaturesPerMinute } from './sso/saml/acs.ts';
import { SHEET_LIMITS } from './spreadsheets/sheet.ts';
import { startApp } from './testing/app.ts';
import { untilMinuteHas } from './testing/minute.ts';
import { probeRoutes } from './testing/probes.ts';

const onePer = (seconds: number) => (seconds === 1 ? 'one per second' : `one per ${seconds} s`);

const service = await startApp({ RATE_LIMIT_PER_MINUTE: '100000' }, { bindings: probeRoutes });
const { app, as, make, deps, owner } = service;
const { config, db, pool } = deps;
const page = readFileSync(new URL('../../docs/limits.md', import.meta.url), 'utf8');
const stated = page
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(1)
  .map((line) =>
    line
      .split('|')
      .slice(1, 3)
      .map((cell) => cell.trim()),
  );

const kilobyte = 1_024;
const seconds = (milliseconds: number | undefined) => `${Number(milliseconds) / 1_000} s`;
const megabytes = (bytes: number) => `${bytes / kilobyte / kilobyte} MiB`;
const grouped = (value: number) => value.toLocaleString('en');
const show = (name: string) => sql<{ text: string }>`select current_setting(${name}) as text`;

/** A database setting as seen by a request or a job. */
async function setting(name: string, during: 'request' | 'job') {
  const read = async (trx: typeof db) =>
    (await show(name).execute(trx)).rows[0]?.text.replace(/^(\d+)s$/, '$1 s').replace('1min', '60 s');
  if (during === 'job') return inJobTransaction(db, (trx) => read(trx));
  const trx = await db.startTransaction().execute();
  try {
    return await read(trx);
  } finally {
    await trx.rollback().execute();
  }
}

test('every limit the page states is the one in force', async () => {
  const { headersTimeout, requestTimeout, keepAliveTimeout, maxConnections } = app.server;
  const plain = bodyLimit({ headers: {} } as Parameters<typeof bodyLimit>[0], undefined);
  const { pair, account, address } = tryLimits;
  const { connectionTimeoutMillis, query_timeout } = pool.options;
  const { maxHeaderSize } = app.server as { maxHeaderSize?: number };
  expect(page).toContain(`abandoned after ${giveUpAfterHours} h |`);
  expect(Object.fromEntries(stated)).toEqual({
    'header block': `${Number(maxHeaderSize) / kilobyte} KiB`,
    'request headers': seconds(headersTimeout),
    'body without a file': `${megabytes(plain)}, ${plainSeconds} s`,
    'body with a file': `the file limit plus ${megabytes(plain)}, ${seconds(requestTimeout)}`,
    'fields that a refusal names': String(maxNamed),
    'idle connection between requests': seconds(keepAliveTimeout),
    connections: grouped(maxConnections),
    'connections per address, except proxies in `TRUST_PROXY`': `\`CONNECTIONS_PER_ADDRESS\` (${readConfig({}).CONNECTIONS_PER_ADDRESS})`,
    'refused connection that the client does not close': seconds(refused.milliseconds),
    'input after an answer that closes the connection': `${lingering.bytes / kilobyte / kilobyte} MB, ${seconds(lingering.milliseconds)}`,
    'requests per user and minute': `\`RATE_LIMIT_PER_MINUTE\` (${readConfig({}).RATE_LIMIT_PER_MINUTE})`,
    'wrong tokens per address and minute': String(badTokensPerMinute),
    'wrong tokens that were looked up, per address and minute': lookedUpPerMinute.toLocaleString('en'),
    'SAML answers with a wrong signature, per address and minute': String(badSignaturesPerMinute),
    'active tokens per account': String(maxTokens),
    'calendar addresses per account': String(maxFeeds),
    'reads per calendar address and hour': String(feedReadsPerHour),
    'requests per connection of SCIM and minute': scimRequestsPerMinute.toLocaleString('en'),
    'tests of a chat channel': onePer(secondsBetweenChatTests),
    'entries of a calendar': String(maxEntries),
    'requests per address and minute without a session': guestsPerMinute.toLocaleString('en'),
    'exports and letters per user and day': String(budgets.export),
    'imports per user and day': String(budgets.import),
    'checks for duplicates per user and minute': String(budgets.lookup),
    'people in one bulk change': String(maxBulkPeople),
    'evaluations in one bulk change': maxBulkEvaluations.toLocaleString('en'),
    'evaluations a request changes in bulk': String(bulkEvaluationsAtOnce),
    'people added to a KPI cycle at once': String(maxCyclePeople),
    'planned job changes in one cancellation': String(maxCancelled),
    'saved views per account': String(maxSavedViews),
    'announcements of a company that have not ended': String(maxAnnouncements),
    'preferences per account': `${maxPreferencesSize / kilobyte} KB of JSON`,
    'failed sign-ins per account and address': `${pair.attempts} in ${pair.seconds} s`,
    'failed sign-ins per account': `${account.attempts} in ${account.seconds / 60} min, then one every ${account.trickle} s`,
    'failed sign-ins per address': `${address.attempts} in ${address.seconds} s`,
    'wait of a sign-in for pending checks of the same account': seconds(waitTimeout),
    'queue of password checks': `${hashQueue.waiting}, ${seconds(hashQueue.waitMs)}`,
    'queue of tables to read': `${tableTurns.waiting}, ${tableTurns.waitingOfOne} of a user, ${seconds(tableTurns.waitMs)}`,
    'queue of pictures to decode': `${pictureTurns.waiting}, ${seconds(pictureTurns.waitMs)}`,
    'picture; drawn signature': `${MAX_PIXELS / 1_000_000}; ${MAX_SIGNATURE_PIXELS / 1_000_000} million pixels, ${DECODE_SECONDS} s`,
    'signatures per person and review round': String(maxSignatures),
    'queue of letters to render': `${drawingQueue.limit}, one per user, ${seconds(drawingQueue.waitMs)}`,
    'rendering a letter': seconds(drawingQueue.runMs),
    'reading a table': seconds(SHEET_LIMITS.working_milliseconds),
    'wait for a database connection': seconds(connectionTimeoutMillis),
    'one SQL statement of a request': await setting('statement_timeout', 'request'),
    'wait for a lock': await setting('lock_timeout', 'request'),
    'idle transaction': await setting('idle_in_transaction_session_timeout', 'request'),
    'unresponsive database': seconds(query_timeout),
    'SQL statement and lock of a job': `${await setting('statement_timeout', 'job')} and ${await setting('lock_timeout', 'job')}`,
    'sending one mail': seconds(mailTimeout),
    'links to a new password that an account gets in an hour, and requests for them per address and hour': `${requestsPerAccount}, ${requestsPerAddress}`,
    'mails per person and hour': String(maxPerHour),
    'open pages per person and process': String(perPerson),
    'unread data of a notification stream': `${maxWaiting / kilobyte} KiB`,
    webhooks: String(maxWebhooks),
    'events sent to a webhook again at once': maxReplayed.toLocaleString('en'),
    'request to the receiver of a webhook': `${seconds(receiverLimits.timeoutMs)}, ${receiverLimits.maxBytes / kilobyte} KiB of the answer`,
    'test notifications': `one per kind in ${secondsBetweenTests} s`,
    'free disk space': `\`DISK_RESERVE_MB\` (${config.DISK_RESERVE_MB})`,
  });
});

test(
  'the door of a link is open to so many requests of an address in a minute, and then to none',
  { timeout: 90_000 },
  async () => {
    const guest = await as();
    const open = async (remoteAddress = '192.0.2.7') => {
      const headers = { 'x-xsrf-token': guest.cookies.get('XSRF-TOKEN') ?? '', cookie: '' };
      headers.cookie = `XSRF-TOKEN=${headers['x-xsrf-token']}`;
      const answer = await app.inject({ method: 'POST', url: '/api/account-links/check', headers, remoteAddress });
      return answer.statusCode;
    };
    await untilMinuteHas(30);
    const found = new Set<number>();
    for (let n = 0; n < guestsPerMinute; n += 1) found.add(await open());
    expect([[...found], await open(), await open('192.0.2.8')]).toEqual([[422], 429, 422]);
  },
);

test('a read has the time of a statement too, though it has no transaction', async () => {
  expect((await show('statement_timeout').execute(db)).rows[0]?.text).toBe('5s');
});

test.each([
  ['export', budgets.export, '/api/probes/1/export', 'GET', 200],
  ['import', budgets.import, '/api/employees/import', 'POST', 422],
] as const)('the %s after the last of the day is refused', async (_what, budget, path, method, status) => {
  const client = await as((await make.employee({ roles: ['HR'] })).user_id);
  for (let n = 0; n < budget; n += 1) expect((await client.send(method, path)).status).toBe(status);
  const refused = await client.send(method, path);
  expect([refused.status, refused.headers['x-ratelimit-limit']]).toEqual([429, String(budget)]);
  const other = await as((await make.employee({ roles: ['HR'] })).user_id);
  expect((await other.send(method, path)).status).toBe(status);
});

test('the exports of a day count over all processes and a restart, until midnight UTC', async () => {
  const beside = () => startApp({ RATE_LIMIT_PER_MINUTE: '100000' }, { bindings: probeRoutes, beside: service });
  const { user_id } = await make.employee({ roles: ['HR'] });
  const browsers = await Promise.all([service, await beside()].map((one) => one.as(user_id)));
  const exportBy = async (n: number) => (await browsers[n % 2]?.get('/api/probes/1/export'))?.status;
  const sent = await Promise.all(Array.from({ length: budgets.export + 20 }, (_, n) => exportBy(n)));
  expect(sent.filter((status) => status === 200)).toHaveLength(budgets.export);
  expect(sent.filter((status) => status === 429)).toHaveLength(20);

  const restarted = await (await beside()).as(user_id);
  const refused = await restarted.get('/api/probes/1/export');
  expect(refused.status).toBe(429);
  const { rows } = await owner.query<{ left: number }>(
    "select extract(epoch from date_trunc('day', now(), 'UTC') + interval '1 day' - now())::int as left",
  );
  expect(Math.abs(Number(refused.headers['retry-after']) - Number(rows[0]?.left))).toBeLessThan(60);

  await owner.query('update budgets set day = day - 1 where user_id = $1', [user_id]);
  expect((await restarted.get('/api/probes/1/export')).status).toBe(200);
});
