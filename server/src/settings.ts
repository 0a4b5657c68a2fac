import { isIP } from 'node:net';
import * as z from 'zod';

const anyNumber = z.coerce.number('give a number');
const wholeNumber = anyNumber.int('give a whole number');

const within = (given: typeof anyNumber, min: number, max: number) => {
  const range = `give a number from ${min} to ${max}`;
  return given.min(min, range).max(max, range);
};
const number = (fallback: number, min: number, max: number) => within(anyNumber, min, max).default(fallback);
const whole = (fallback: number, min: number, max: number) => within(wholeNumber, min, max).default(fallback);
/** One of several words, which the refusal lists. */
const oneOf = <const Words extends readonly [string, ...string[]]>(...words: Words) =>
  z.enum(words, `give ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`);
const onOff = oneOf('on', 'off').transform((value) => value === 'on');
const list = z.string().transform((value) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);

const decodes = (text: string): boolean => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};

/** An address that both the driver and `URL` can parse. The message omits it, because it contains a password. */
const databaseAddress = z.string().refine((text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return /^(postgres|postgresql|socket):$/.test(url?.protocol ?? '') && decodes(`${url?.username}${url?.password}`);
}, 'give an address such as postgres://user:password@host/database, with %25 for a % in the password');

/** The same for a mail server. */
const mailServer = z.string().refine((text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return /^smtps?:$/.test(url?.protocol ?? '') && url?.hostname !== '' && decodes(`${url?.username}${url?.password}`);
}, 'give an address such as smtp://user:password@host:587 or smtps://…, with %25 for a % in the password');

/** A host to listen on: with brackets or a port it would be resolved as a name, which is slow and fails. */
const host = z
  .string()
  .refine(
    (text) => isIP(text) !== 0 || /^[\w.-]+$/.test(text),
    'give an address such as 127.0.0.1 or ::1, or a host name, without brackets and without a port',
  );

const cronFields = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const;

/** Whether the queue can parse a schedule; a pattern that it cannot parse would end the process for jobs. */
function isCronPattern(text: string): boolean {
  const fields = text.split(' ');
  return (
    fields.length === cronFields.length &&
    cronFields.every(([least, most], index) =>
      fields[index]?.split(',').every((part) => {
        if (/^\*(\/[1-9]\d?)?$/.test(part)) return true;
        const [, from, to] = /^(\d{1,2})(?:-(\d{1,2}))?$/.exec(part) ?? [];
        const isRising = to === undefined || Number(to) > Number(from);
        return Number(from) >= least && isRising && Number(to ?? from) <= most;
      }),
    )
  );
}

/** The settings as the environment provides them; config.ts checks those that depend on each other. */
export const settings = z.object({
  /** `production` refuses unsafe settings and hides the documentation. */
  NODE_ENV: oneOf('production', 'development', 'test').default('development'),
  /** Where to listen. */
  PORT: whole(8000, 0, 65_535),
  HOST: host.default('127.0.0.1'),
  /** The public address, for links and cookies. Default http://localhost:PORT. */
  APP_URL: z.string().optional(),
  /** Origins of a browser application hosted elsewhere, comma-separated. Default APP_URL. */
  FRONTEND_URL: list.optional(),
  /** PostgreSQL 15 or newer; unset starts the embedded one in DATA_DIR. */
  DATABASE_URL: databaseAddress.optional(),
  /** A second address with the owner role, only used for migrations. */
  DATABASE_MIGRATION_URL: databaseAddress.optional(),
  /** `on`: a start brings the database to this release; `off`: it never does; `only`: it does that and exits. */
  MIGRATE: oneOf('on', 'off', 'only').default('on'),
  /** `on`: DATABASE_URL leads to a pooler in transaction mode. */
  DATABASE_POOLER: onOff.default(false),
  /** An address of the same database that bypasses a pooler, for jobs, the queue and LISTEN. Default DATABASE_URL. */
  DATABASE_DIRECT_URL: databaseAddress.optional(),
  /** An address of the same database whose role can read everything, for backups. Default DATABASE_MIGRATION_URL. */
  DATABASE_BACKUP_URL: databaseAddress.optional(),
  /** Default 10, with more web processes as few as 4. */
  DATABASE_POOL_SIZE: within(wholeNumber, 2, 500).optional(),
  /** Named prepared statements; off with DATABASE_POOLER unless set, because many poolers do not support them. */
  DATABASE_PREPARED: onOff.optional(),
  /** Embedded database, files and generated keys. */
  DATA_DIR: z.string().regex(/^[^~]/, 'give an absolute path: only a shell replaces ~').default('./data'),
  /** Where files are kept: `file:` is in DATA_DIR, `file:///path` another folder, `s3://…` an object store. */
  STORAGE_URL: z.string().default('file:'),
  /** The previous place of files, until `npm run move-files` has copied them. */
  STORAGE_FALLBACK_URL: z.string().optional(),
  /** The keys for object stores whose addresses have none. */
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  /** Where a container gets keys instead; the platform (ECS, EKS) sets these three. */
  AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: z.string().optional(),
  AWS_CONTAINER_CREDENTIALS_FULL_URI: z.string().optional(),
  AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: z.string().optional(),
  /** 32 bytes in base64, for sessions, CSRF tokens and stored secrets; the embedded database gets one in DATA_DIR. */
  APP_KEY: z.string().optional(),
  /** Earlier keys, which still open what they sealed, comma-separated. */
  APP_PREVIOUS_KEYS: list.default([]),
  /** Parent domain shared with a frontend on a sibling host. */
  SESSION_DOMAIN: z.string().optional(),
  SESSION_IDLE_MINUTES: number(120, 0.01, 100_000),
  SESSION_MAX_HOURS: number(12, 0.001, 10_000),
  /** Parallel sessions per user; another one ends the oldest. */
  SESSION_MAX_PER_USER: whole(20, 1, 1_000),
  /** The first administrator; without a password, a one-time password is printed or stored in a file in DATA_DIR. */
  ADMIN_EMAIL: z
    .string()
    .regex(/^[^\s@]+@[^\s@]+$/, 'give an address such as admin@example.com')
    .optional(),
  ADMIN_PASSWORD: z.string().optional(),
  /** Minutes after which dangerous actions require the password again; 0: they never do. */
  STEP_UP_MINUTES: number(0, 0, 1_440),
  /** Days that an invitation sent by mail is valid. */
  INVITATION_DAYS: whole(7, 1, 30),
  /** The most days that a token lasts that a user creates for a program. */
  TOKEN_MAX_DAYS: whole(366, 1, 3_660),
  /** `on`: users can request a password link on the sign-in page. Needs SMTP_URL. */
  PASSWORD_RESET_BY_MAIL: onOff.default(false),
  /** `off`: the SCIM endpoints do not exist; connections and what they did stay. */
  SCIM: onOff.default(true),
  BCRYPT_COST: whole(12, 10, 16),
  PASSWORD_MIN_LENGTH: whole(8, 8, 128),
  /** `keep` retains place, camera and author in attached pictures. */
  ATTACHMENT_METADATA: oneOf('remove', 'keep').default('remove'),
  /** `off` hides colleagues outside the scope of a reader's roles from that reader. */
  DIRECTORY: onOff.default(true),
  /** Without it, no mail is sent. */
  SMTP_URL: mailServer.optional(),
  MAIL_FROM: z
    .string()
    .regex(/[^\s<>@]+@[^\s<>@]+/, 'give an address such as Tenure <hr@example.com>')
    .default('Tenure <no-reply@localhost>'),
  /** Documentation at /docs/api; on unless NODE_ENV=production. */
  DOCS: onOff.optional(),
  /** CIDR list of proxies whose forwarded headers are trusted. */
  TRUST_PROXY: list.default([]),
  /** `off`: no event is sent to webhooks. */
  WEBHOOKS: onOff.default(true),
  /** CIDR list of private addresses that outgoing requests may reach; all public ones are allowed. */
  EGRESS_ALLOW: list.default([]),
  /** The HTTP proxy for outgoing requests; it must filter their targets. */
  EGRESS_PROXY: z.string().optional(),
  /** Open connections per client address; trusted proxies have no limit. 0 means no limit. */
  CONNECTIONS_PER_ADDRESS: whole(256, 0, 100_000),
  /** Requests per user and minute. */
  RATE_LIMIT_PER_MINUTE: whole(600, 1, 1_000_000),
  /** A separate listener for /metrics, /livez and /readyz. */
  METRICS_PORT: whole(0, 0, 65_535),
  METRICS_HOST: host.default('127.0.0.1'),
  /** `api`, `worker` or `all` in one process. */
  ROLE: oneOf('all', 'api', 'worker').default('all'),
  /** Web processes on this machine, or `auto`; with 2 or more, another process supervises them. */
  WEB_CONCURRENCY: z
    .string()
    .regex(/^(auto|[1-9]|[1-5]\d|6[0-4])$/, 'give a number from 1 to 64, or auto')
    .transform((value) => (value === 'auto' ? value : Number(value)))
    .default(1),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  /** Serves a public http address in production, for tests in a closed network. */
  ALLOW_INSECURE_HTTP: onOff.default(false),
  /** Seconds during which a stopping service is unready but serves, until load balancers send requests elsewhere. */
  SHUTDOWN_DELAY_SECONDS: number(0, 0, 600),
  /** Where to report a vulnerability: a mail or web address for /.well-known/security.txt. */
  SECURITY_CONTACT: list.default([]),
  /** Free space to keep for the database; uploads, imports and exports stop below it. */
  DISK_RESERVE_MB: number(256, 0, 1_000_000),
  /** The backup folder, or `s3://…`; without it, no scheduled backups. */
  BACKUP_URL: z.string().optional(),
  /** When to back up, as a cron pattern in UTC. */
  BACKUP_SCHEDULE: z
    .string()
    .refine(isCronPattern, 'give a cron pattern of five fields, for example 15 2 * * *')
    .default('15 2 * * *'),
  /** The newest backup of this many days, weeks and months is kept. */
  BACKUP_KEEP: z.string().default('7d 4w 3m'),
  /** The age public key that backups are encrypted for. */
  BACKUP_RECIPIENT: z
    .string()
    .regex(/^age1[a-z0-9]{58,}$/, 'give a complete public key of age, which begins with age1')
    .optional(),
  /** Or the passphrase that encrypts them. */
  BACKUP_PASSPHRASE: z.string().min(12, 'give at least 12 characters').optional(),
  /** Whether the newest backup is reread and compared every week. */
  BACKUP_VERIFY: oneOf('weekly', 'off').default('weekly'),
  /** Whether the newest backup is test-restored every month. Default `monthly` if this machine can read it. */
  BACKUP_DRILL: oneOf('monthly', 'off').optional(),
  /** Whether every change is archived too, for restores to a point in time; embedded database only. */
  BACKUP_WAL: onOff.default(false),
  /** The most WAL kept on this machine for the archive before it is dropped, which interrupts points in time. */
  BACKUP_SPOOL_MB: number(4_096, 64, 1_000_000),
});

export type Settings = z.output<typeof settings>;

/** Users choose these, so they may contain anything that can be typed. */
const chosenSecrets = ['ADMIN_PASSWORD', 'BACKUP_PASSPHRASE'];

/**
 * Detects remains of a settings file around a value. Some programs leave its quotes, and a `DATA_DIR` with such a name
 * would be a new and empty one.
 */
export function problemOf(name: string, value: string): string | undefined {
  if (chosenSecrets.includes(name)) return undefined;
  if (/^(["']).*\1$/s.test(value)) return 'the value is in quotes, which would be part of it: remove the quotes';
  // a list may have a line for each of its parts
  return /\p{Cc}/u.test(value.replaceAll(/\s*,\s*/g, ','))
    ? 'the value contains a line break or another control character: remove it'
    : undefined;
}
