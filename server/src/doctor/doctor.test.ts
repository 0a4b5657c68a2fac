import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { pathOfChunk } from '../backup/chunks.ts';
import { startApp } from '../testing/app.ts';
import { cloneDatabase } from '../testing/databases.ts';
import type { TestApp } from '../testing/app.ts';
import { linkAll } from '../testing/audit-links.ts';
import { freePort } from '../testing/free-port.ts';
import { generateKey } from '../crypto/keys.ts';
import {
  asService,
  chunkName,
  collectingProxy,
  greetedServer,
  healthyInstallation,
  otherServer,
} from '../testing/doctor.ts';
import type { Environment } from '../testing/doctor.ts';
import { exitCodeOf, lineOf } from './finding.ts';
import type { Machine } from './machine.ts';

let app: TestApp;
/** A server that responds like a ready service, and another database. */
let [ready, otherDatabase] = ['', ''];
let healthy: Awaited<ReturnType<typeof healthyInstallation>>;
beforeAll(async () => {
  app = await startApp({ TRUST_PROXY: '127.0.0.1', APP_KEY: generateKey() });
  ({ appUrl: otherDatabase } = await cloneDatabase());
  await app.make.employee();
  ready = await otherServer(asService());
  healthy = await healthyInstallation(app);
});

test('a healthy installation has no warning', async () => {
  const findings = await healthy.look();
  expect(findings.filter(({ status }) => status !== 'ok').map(lineOf)).toEqual([]);
  expect(exitCodeOf(findings)).toBe(0);
  const names = [
    'node settings data-dir disk keys database encoding collation role connections clock standby options pooler prepared notify',
    'addresses rights schema demo processes contracts store jobs mails audit-log backup verified files archive smtp address proxy stream',
  ];
  expect(findings.map(({ name }) => name).join(' ')).toBe(names.join(' '));
});

type Undo = () => Promise<unknown>;
type Broken = {
  what: string;
  /** Changes the installation, and returns how to undo it. */
  breakIt?: () => Promise<Undo>;
  env?: () => Environment | Promise<Environment>;
  machine?: Partial<Machine>;
  isOffline?: boolean;
  /** Only the lines that are not ok. */
  says: RegExp[];
};

const sqlBreak = (broken: string, mended: string) => async () => {
  await app.owner.query(broken);
  return () => app.owner.query(mended);
};
const withUrl = (setting: string, change: (url: URL) => void) => () => {
  const url = new URL(app.database.appUrl);
  change(url);
  return { [setting]: url.href };
};
const nowhere = 'postgres://tenure_app:Xylophone-77@127.0.0.1:1/tenure';

const settings: Broken[] = [
  {
    what: 'a setting that is no number',
    env: () => ({ DATABASE_POOL_SIZE: 'many' }),
    says: [/^fail {2}settings +DATABASE_POOL_SIZE: .*→ Correct the setting/],
  },
  {
    what: 'an address without a scheme',
    env: () => ({ APP_URL: 'hr.acme.example' }),
    says: [/^fail {2}settings +APP_URL: .* is not a URL/],
  },
  {
    what: 'production without an address',
    env: () => ({ APP_URL: '' }),
    says: [/^fail {2}settings +APP_URL: required in production/],
  },
  {
    what: 'a database password that is tried first',
    env: () => ({ DATABASE_URL: 'postgres://app:postgres@db.acme.example/tenure' }),
    says: [/^fail {2}settings +DATABASE_URL: the password/],
  },
  {
    what: 'a pooler without the address past it',
    env: () => ({ DATABASE_POOLER: 'on' }),
    says: [/^fail {2}settings +DATABASE_DIRECT_URL: required/],
  },
  {
    what: 'an address that is none of a mail server',
    env: () => ({ SMTP_URL: 'http://mail.acme.example' }),
    says: [/^fail {2}settings +SMTP_URL: give an address such as smtp:.*→ Correct the setting/],
  },
  { what: 'a key that is too short', env: () => ({ APP_KEY: 'c2hvcnQ=' }), says: [/^fail {2}settings +APP_KEY: /] },
  {
    what: 'a file of a setting that is not there',
    env: () => ({ SMTP_URL: '', SMTP_URL_FILE: '/nowhere/smtp' }),
    says: [/^fail {2}settings +.*\/nowhere\/smtp.*→ Correct the setting/],
  },
  {
    what: 'names that are no settings',
    env: () => ({ APP_KEY: '', APP_KYE: generateKey(), SMTP_HOTS: 'mail.acme.example', API_KEY: 'x' }),
    says: [
      /^warn {2}settings +There is no setting APP_KYE, so it has no effect {2}→ If you mean APP_KEY, rename it; docs/,
      /^warn {2}settings +There is no setting SMTP_HOTS, .* mean SMTP_URL, rename it;/,
      /^fail {2}settings +APP_KEY: required in production/,
    ],
  },
  {
    what: 'another Node',
    machine: { node: '20.19.0' },
    isOffline: true,
    says: [/^fail {2}node +.*20\.19\.0 {2}→ Use Node 26/],
  },
  {
    what: 'a DATA_DIR of another user',
    machine: { uid: (process.geteuid?.() ?? 0) + 1 },
    isOffline: true,
    says: [/^fail {2}data-dir +.*belongs to another user.*→ Run the service and the doctor as that user/],
  },
  {
    what: 'a DATA_DIR that is open to others',
    breakIt: async () => {
      await chmod(healthy.dataDir, 0o755);
      return () => chmod(healthy.dataDir, 0o700);
    },
    isOffline: true,
    says: [/^warn {2}data-dir +.*mode 755.*→ Run chmod 700/],
  },
  {
    what: 'a disk with less space than the reserve',
    env: () => ({ DISK_RESERVE_MB: '1000000' }),
    isOffline: true,
    says: [/^fail {2}disk +.*→ Free some space/],
  },
  {
    what: 'files that cannot be stored',
    breakIt: async () => {
      const folder = join(app.deps.config.DATA_DIR, 'incoming');
      await rename(folder, `${folder}.away`);
      await writeFile(folder, '');
      return async () => {
        await rm(folder);
        await rename(`${folder}.away`, folder);
      };
    },
    isOffline: true,
    says: [/^fail {2}files +.*→ Check the owner, the permissions and the disk/],
  },
];

const database: Broken[] = [
  {
    what: 'no database server',
    env: () => ({ DATABASE_URL: nowhere }),
    says: [/^fail {2}database +.*ECONNREFUSED.*→ Nothing listens there: start the server.*DATABASE_URL/],
  },
  {
    what: 'a wrong password',
    env: withUrl('DATABASE_URL', (url) => (url.password = 'wrong-but-long')),
    says: [/^fail {2}database +password authentication failed.*→ Correct the password \(DATABASE_URL\)/],
  },
  {
    what: 'a database that does not exist',
    env: withUrl('DATABASE_URL', (url) => (url.pathname = '/missing')),
    says: [/^fail {2}database +.*→ Create the database/],
  },
  {
    what: 'the role of the owner for requests',
    env: () => ({ DATABASE_URL: app.database.ownerUrl }),
    says: [/^warn {2}role +.*owns the tables.*→ Use the owner role in DATABASE_MIGRATION_URL/],
  },
  {
    what: 'a larger pool than the database allows',
    env: () => ({ DATABASE_POOL_SIZE: '400' }),
    says: [/^fail {2}connections +.*→ Raise max_connections/],
  },
  {
    what: 'a pooler for a role without its settings',
    env: () => ({ DATABASE_POOLER: 'on', DATABASE_DIRECT_URL: app.database.appUrl }),
    says: [/^fail {2}options +.*statement_timeout 0 ms {2}→ Run "alter role "tenure_app"/],
  },
  {
    what: 'a direct address to another database',
    env: () => ({ DATABASE_DIRECT_URL: otherDatabase }),
    says: [
      /^fail {2}notify +.*→ Correct DATABASE_DIRECT_URL: it must lead to the same database/,
      /^fail {2}addresses +DATABASE_DIRECT_URL leads to another/,
    ],
  },
  {
    what: 'an address of the owner with a wrong password',
    env: withUrl('DATABASE_MIGRATION_URL', (url) => (url.password = 'wrong-but-long')),
    says: [/^fail {2}addresses +DATABASE_MIGRATION_URL: .*→ Correct the password/],
  },
  {
    what: 'an address for backups that leads nowhere',
    env: () => ({ DATABASE_BACKUP_URL: nowhere }),
    says: [/^fail {2}addresses +DATABASE_BACKUP_URL: .*→ Nothing listens there/],
  },
  {
    what: 'a clock that is wrong',
    machine: { now: () => Date.now() + 3_600_000 },
    says: [/^fail {2}clock +.*→ Synchronize both machines with a time server/],
  },
];

const schema: Broken[] = [
  {
    what: 'a pending migration',
    breakIt: async () => {
      const { rows } = await app.owner.query<{ name: string }>(
        `delete from schema_migrations
         where name = (select max(name) from schema_migrations where name not like '%.contract.sql') returning name`,
      );
      return () => app.owner.query('insert into schema_migrations (name) values ($1)', [rows[0]?.name]);
    },
    says: [/^warn {2}schema +Migrations are pending.*→ Start the service of this release/],
  },
  {
    what: 'a database of a newer release',
    breakIt: sqlBreak(
      "insert into schema_migrations values ('29990101_0000_later.contract.sql')",
      "delete from schema_migrations where name like '2999%'",
    ),
    says: [/^fail {2}schema +.*29990101_0000_later\.contract\.sql.*→ Run the release that applied them/],
  },
  {
    what: 'an interrupted restore',
    breakIt: sqlBreak('create table unfinished_restore ()', 'drop table unfinished_restore'),
    says: [/^fail {2}schema +A restore was interrupted.*→ Run the interrupted command again/],
  },
  {
    what: 'a database that was moved away',
    breakIt: sqlBreak(
      "comment on table installation is 'moved on 2026-11-27 to the database hr on db.example'",
      'comment on table installation is null',
    ),
    says: [
      /^fail {2}schema +The database was moved to the database hr on db\.example on 2026-11-27.*→ Use the settings/,
    ],
  },
  {
    what: 'a role that may not use the schema',
    breakIt: sqlBreak(
      'revoke usage on schema public from tenure_app, public',
      'grant usage on schema public to tenure_app, public',
    ),
    says: [/^fail {2}rights +.*→ Start the service once with DATABASE_MIGRATION_URL/],
  },
  {
    what: 'a role without rights',
    breakIt: sqlBreak('revoke update on employees from tenure_app', 'grant update on employees to tenure_app'),
    says: [/^fail {2}rights +.*→ Start the service once with DATABASE_MIGRATION_URL/],
  },
  {
    what: 'a role that may change the audit log',
    breakIt: sqlBreak('grant update on audit_log to tenure_app', 'revoke update on audit_log from tenure_app'),
    says: [/^warn {2}rights +.*→ Start the service.*"revoke update, delete on audit_log from/],
  },
  {
    what: 'demo data in production',
    breakIt: sqlBreak('update installation set is_demo = true', 'update installation set is_demo = false'),
    says: [/^fail {2}demo +.*→ Use another DATA_DIR or DATABASE_URL/],
  },
];

const noJobs = 'delete from graphile_worker._private_jobs';
const mail = `with made as (
    insert into notifications (user_id, event, severity, subject_type, url, dedupe_key)
    select min(id), 'account_created', 'info', 'user', '/', 'doctor' from users returning id, user_id)
  insert into notification_deliveries (notification_id, user_id, channel, next_attempt_at)
  select id, user_id, 'email', now() - interval '2 hours' from made`;
const noMail = "delete from notifications where dedupe_key = 'doctor'";
const entry = (minutes: number) =>
  `insert into audit_log (at, actor_name, action, subject_type) values (now() - interval '${minutes} minutes', 'x', 'x', 'x')`;
const linked = () => linkAll(app.owner);
const tampered = (statement: string) =>
  `begin; alter table audit_log disable trigger user; ${statement}; alter table audit_log enable trigger user; commit`;

const work: Broken[] = [
  {
    what: 'jobs that no worker takes',
    breakIt: sqlBreak("select graphile_worker.add_job('late', run_at => now() - interval '20 minutes')", noJobs),
    says: [/^fail {2}jobs +A job has been due for 20 min.*→ Start a process with ROLE=all or ROLE=worker/],
  },
  {
    what: 'a job that failed for good',
    breakIt: sqlBreak(
      "select graphile_worker.add_job('run_import_job', max_attempts => 1); update graphile_worker._private_jobs set attempts = 1",
      noJobs,
    ),
    says: [/^warn {2}failed-jobs +1 jobs .*: run_import_job {2}→ Look for job_queue/],
  },
  {
    what: 'a mail that stays',
    breakIt: sqlBreak(mail, noMail),
    says: [/^warn {2}mails +A mail has been due for 120 min.*→ Check the column error/],
  },
  {
    what: 'mails without a mail server',
    breakIt: sqlBreak(mail, noMail),
    env: () => ({ SMTP_URL: '' }),
    says: [/^warn {2}mails +1 mails .*→ Set SMTP_URL again/],
  },
  {
    what: 'an audit log that is not chained',
    breakIt: () => app.owner.query(entry(30)).then(() => linked),
    says: [/^fail {2}audit-log +An audit log entry .* for 30 min.*→ Start a process/],
  },
  {
    what: 'an audit log that was changed',
    breakIt: async () => {
      await app.owner.query(entry(0));
      await linked();
      await app.owner.query(tampered("update audit_log set actor_name = 'y' where actor_name = 'x'"));
      return () => app.owner.query(tampered("update audit_log set actor_name = 'x' where actor_name = 'y'"));
    },
    says: [/^fail {2}audit-log +The audit log was changed outside the service.*→ Run the command audit-verify/],
  },
];

const backups: Broken[] = [
  {
    what: 'a backup that failed',
    breakIt: sqlBreak(
      "insert into backups (kind, status, started_at, error, finished_at) values ('backup', 'failed', now(), 'No space left', now() + interval '1 second')",
      "delete from backups where status = 'failed'",
    ),
    says: [/^fail {2}backup +The last backup failed: No space left {2}→ Remove the cause/],
  },
  {
    what: 'a backup that is late',
    breakIt: sqlBreak(
      "update backups set finished_at = now() - interval '70 hours' where kind = 'backup'",
      "update backups set finished_at = now() where kind = 'backup'",
    ),
    says: [/^fail {2}backup +.* 70 h ago.*→ Start a process with ROLE=all or worker/],
  },
  {
    what: 'no backup yet',
    breakIt: sqlBreak(
      "update backups set kind = 'drill' where kind = 'backup'",
      "update backups set kind = 'backup' where kind = 'drill'",
    ),
    says: [/^warn {2}backup +No backup has been made yet.*→ Run the command backup/],
  },
  {
    what: 'a backup that was not verified for long',
    breakIt: sqlBreak(
      "update backups set finished_at = now() - interval '40 days' where kind = 'verification'",
      "update backups set finished_at = now() where kind = 'verification'",
    ),
    says: [/^warn {2}verified +.* 40 days ago.*→ Run the command backup --verify/],
  },
  {
    what: 'a folder of backups that is not mounted',
    breakIt: async () => {
      await rename(healthy.archive, `${healthy.archive}.away`);
      await mkdir(healthy.archive);
      return async () => {
        await rm(healthy.archive, { recursive: true });
        await rename(`${healthy.archive}.away`, healthy.archive);
      };
    },
    says: [/^warn {2}archive +.*contains no backups yet.*→ Mount its disk/],
  },
  {
    what: 'a backup that lost a chunk',
    breakIt: async () => {
      const chunk = join(healthy.archive, pathOfChunk(chunkName));
      await rename(chunk, `${chunk}.away`);
      return () => rename(`${chunk}.away`, chunk);
    },
    says: [/^fail {2}archive +.* lacks chunks\/.*→ Run the command backup/],
  },
  {
    what: 'an archive of a newer release',
    breakIt: async () => {
      const path = join(healthy.archive, 'archive.json');
      await writeFile(path, '{"format":99,"installation":"test"}');
      return () => writeFile(path, '{"format":1,"installation":"test"}');
    },
    says: [/^fail {2}archive +.*newer release of Tenure {2}→ Use that release/],
  },
];

const network: Broken[] = [
  {
    what: 'no mail server',
    env: () => ({ SMTP_URL: 'smtp://127.0.0.1:1' }),
    says: [/^fail {2}smtp +.*ESOCKET.*→ Correct the host and port in SMTP_URL/],
  },
  {
    what: 'a wrong password of the mail server',
    env: async () => ({
      SMTP_URL: `smtp://post:wrong-one@127.0.0.1:${await greetedServer({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true, onAuth: (_auth, _session, done) => done(new Error('no')) })}`,
    }),
    says: [/^fail {2}smtp +.*EAUTH.*→ Correct the user and password in SMTP_URL/],
  },
  // another name of this machine that is not one of the loopback spellings
  {
    what: 'a mail server without encryption',
    env: async () => ({ SMTP_URL: `smtp://0.0.0.0:${await greetedServer({ disabledCommands: ['STARTTLS'] })}` }),
    says: [/^warn {2}smtp +.*without encryption.*→ Use smtps:\/\//],
  },
  {
    what: 'the default sender',
    env: () => ({ MAIL_FROM: '' }),
    says: [/^warn {2}sender +.*no-reply@localhost.*→ Set MAIL_FROM/],
  },
  {
    what: 'a service that does not run',
    env: async () => ({ APP_URL: `http://127.0.0.1:${await freePort()}` }),
    says: [/^fail {2}address +.*→ Nothing listens there.*--offline/],
  },
  {
    what: 'an address of something else',
    env: async () => ({ APP_URL: await otherServer((_request, answer) => answer.end('<h1>It works</h1>')) }),
    says: [/^fail {2}address +APP_URL does not lead to the service \(200\).*→ Correct APP_URL/],
  },
  {
    what: 'a proxy without its service',
    env: async () => ({ APP_URL: await otherServer((_request, answer) => answer.writeHead(502).end('Bad Gateway')) }),
    says: [/^fail {2}address +The proxy reaches no service \(502\).*→ Start the service/],
  },
  {
    what: 'a proxy that the service does not believe',
    env: async () => ({
      APP_URL: await otherServer(asService('3f1f3b0c-5b0a-4c57-9a51-0f6d5c1f9a11')),
    }),
    says: [/^warn {2}proxy +.*→ Set TRUST_PROXY/],
  },
  {
    what: 'a proxy that collects live updates',
    env: async () => ({ APP_URL: await collectingProxy(healthy.env['APP_URL'] ?? '') }),
    says: [
      /^warn {2}stream +An event does not reach an open page within 2 s.*→ Let the proxy forward .* without buffer/,
    ],
  },
  {
    what: 'a proxy that forwards no live updates',
    env: async () => ({
      APP_URL: await otherServer(({ headers }, answer) =>
        answer.writeHead(200, { 'x-request-id': headers['x-request-id'] ?? '' }).end('{"message":"OK"}'),
      ),
    }),
    says: [/^warn {2}stream +.* was answered with 200, but not by the service.*→ Let the proxy forward every path/],
  },
  {
    what: 'another key than the service has',
    env: () => ({ APP_URL: healthy.env['APP_URL'] ?? '', APP_KEY: generateKey() }),
    says: [/^warn {2}stream +The service does not accept the key.*→ Run the doctor with the settings of the service/],
  },
  {
    what: 'a service that is not ready',
    env: async () => ({
      APP_URL: await otherServer((_request, answer) =>
        answer.writeHead(503, { 'x-request-id': 'x' }).end('{"message":"Service Unavailable","failed":["jobs"]}'),
      ),
    }),
    says: [/^fail {2}address +.*not ready: jobs {2}→ Look for not_ready/],
  },
  {
    what: 'a certificate that has ended, and no trusted proxy',
    env: async () => ({ APP_URL: `https://127.0.0.1:${await greetedServer({ secure: true })}`, TRUST_PROXY: '' }),
    says: [
      /^fail {2}address +.*→ .*certificate/,
      /^fail {2}tls +.*has expired {2}→ Renew it/,
      /^warn {2}proxy +.*→ Set TRUST_PROXY/,
    ],
  },
];

describe.each([
  ['settings and machine', settings],
  ['database', database],
  ['schema', schema.map((broken) => ({ ...broken, isOffline: true }))],
  ['work', work],
  ['backups', backups.map((broken) => ({ ...broken, isOffline: true }))],
  ['network', network],
] as const)('a broken installation: %s', (_group, table) => {
  test.each(table as readonly Broken[])('$what', async ({ breakIt, env, machine = {}, isOffline = false, says }) => {
    const undo = await breakIt?.();
    try {
      const findings = await healthy.look({ env: { APP_URL: ready, ...(await env?.()) }, machine, isOffline });
      const lines = findings.filter(({ status }) => status !== 'ok').map(lineOf);
      expect(lines).toEqual(says.map((pattern) => expect.stringMatching(pattern)));
      expect(exitCodeOf(findings)).toBe(lines.some((line) => line.startsWith('fail')) ? 2 : 1);
    } finally {
      await undo?.();
    }
  });
});
