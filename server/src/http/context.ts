import type { BodyOut, Endpoint, ParamsOf, QueryOut, ReplyIn } from '@tenure/contract';
import type { Kysely } from 'kysely';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Readable } from 'node:stream';
import type { Actor } from '../access/actor.ts';
import type { RightsCache } from '../access/rights.ts';
import type { Config } from '../config.ts';
import type { HashPool } from '../crypto/hash-pool.ts';
import type { KeyRing } from '../crypto/keys.ts';
import type { Db } from '../db/connect.ts';
import type { DB } from '../db/schema.ts';
import type { DiskGuard } from '../files/disk-guard.ts';
import type { Door } from '../http-out/door.ts';
import type { FileStore } from '../files/store.ts';
import type { LanguageId } from '../languages/catalogue.ts';
import type { Live } from '../notifications/live.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { OpenId } from '../sso/openid.ts';
import type { Upload } from './body.ts';
import type { StreamReply } from './event-stream.ts';
import type { SessionCookies, Credentials } from './session-cookies.ts';
import type { LookUp, Sent } from './look-ups.ts';
import type { Metrics } from './metrics.ts';

/** What the process holds; created once in main.ts or by a test, and passed to everything that needs it. */
export type Deps = {
  config: Config;
  db: Kysely<DB>;
  pool: pg.Pool;
  ring: KeyRing;
  sessionCookies: SessionCookies;
  rights: RightsCache;
  hashing: HashPool;
  files: FileStore;
  disk: DiskGuard;
  mailer: Mailer;
  /** For requests to addresses that people enter. */
  door: Door;
  /** For requests to single sign-on providers. */
  openId: OpenId;
  live: Live;
  metrics: Metrics;
  log: Logger;
  /** Aborted when the service is about to stop: it still serves, but load balancers should send elsewhere. */
  stopping: AbortSignal;
  /** Throws on an invalid answer before it is written; tests check every answer. */
  checkAnswer?: (endpoint: Endpoint, value: unknown) => void;
};

export type RequestInfo = {
  id: string;
  ip: string;
  user_agent: string;
  url: string;
  /** The language of the answer. */
  language: LanguageId;
  /** As sent by the browser. */
  accept_language?: string | undefined;
};

/** How browsers cache a file. `isFinal`: its URL identifies its content, so it never changes. */
export type FileCache = { etag: string; scope: 'public' | 'private'; isFinal: boolean };

/** A file as an answer. `size` is absent for content generated while streaming; without `cache` nothing caches it. */
export class FileReply {
  readonly stream: Readable;
  readonly mime_type: string;
  readonly name: string;
  readonly size: number | undefined;
  readonly cache: FileCache | undefined;
  constructor(file: { stream: Readable; mime_type: string; name: string; size?: number; cache?: FileCache }) {
    this.stream = file.stream;
    this.mime_type = file.mime_type;
    this.name = file.name;
    this.size = file.size;
    this.cache = file.cache;
  }
}

/** A handler's view of a request while it finds its row and checks access, before the body is read. */
export type Ctx<E extends Endpoint = Endpoint> = {
  deps: Deps;
  /** The request's transaction; a GET reads without one. */
  db: Db;
  actor: Actor;
  params: ParamsOf<E>;
  request: RequestInfo;
  /** What the cookies proved. */
  credentials: Credentials;
  /** Runs once the answer is certain: after the commit, or immediately if there is none. */
  afterCommit: (work: () => void | Promise<void>) => void;
  /**
   * For work without the request's transaction: claims the Idempotency-Key in the transaction that makes a change. What
   * the returned function receives is the answer to repeats until the work is done, even if it is interrupted and
   * continues as a job.
   */
  claimKey: (db: Db) => Promise<(first: unknown) => Promise<void>>;
  /** Replaces the cookies of the answer. */
  setCookies: (lines: string[]) => void;
  /**
   * The requester with their current rights, for an answer that takes long. Throws 401 or 403 if the request would be
   * refused by now.
   */
  checkAgain: () => Promise<Actor>;
};

/** What reading records needs from a request. */
export type ReadCtx = Pick<Ctx, 'db' | 'actor'>;
/** What changing records needs from a request. */
export type WriteCtx = Pick<Ctx, 'db' | 'actor' | 'request'>;
/** The same, for code that also uses the process's services. */
export type ServiceCtx = Pick<Ctx, 'db' | 'deps' | 'actor' | 'request'>;
/** What reading the record in a path needs. */
export type RecordCtx = ReadCtx & { params: { id: number } };
/** What a request without a signed-in user needs. */
export type GuestCtx = Pick<Ctx, 'db' | 'deps' | 'request'>;

/** How work connects to its request's transaction. */
export type TransactionHooks = Pick<Ctx, 'afterCommit' | 'claimKey'>;

/** The same with everything that the client sent, validated. */
export type HandlerCtx<E extends Endpoint> = Ctx<E> & {
  query: QueryOut<E>;
  body: BodyOut<E>;
  /** The uploaded file, received but not kept yet; discarded unless the handler keeps it. */
  file: E extends { upload: string } ? (E extends { upload_optional: true } ? Upload | null : Upload) : null;
};

export type Answer<E extends Endpoint> = E extends { file: readonly string[] }
  ? FileReply
  : E extends { stream: true }
    ? StreamReply
    : E extends { status: 204 }
      ? void
      : ReplyIn<E>;

/** What a feature provides for an endpoint. The pipeline enforces the order find → allow → fields → handle. */
export type Handler<E extends Endpoint, Found> = {
  /** Finds the row in the caller's scope, else throws notFound(). Runs before the body is validated. */
  find?: (ctx: Ctx<E>) => Promise<Found>;
  /** Throws forbidden() if the caller sees the row but may not change it. */
  allow?: (ctx: Ctx<E>, found: Found) => void | Promise<void>;
  handle: (ctx: HandlerCtx<E>, found: Found) => Promise<Answer<E>>;
  /** Checks that add to a refusal of fields: taken values, and references to nothing. */
  lookUps?: (sent: Sent) => LookUp[];
  /** Why this endpoint changes data without a single transaction. */
  withoutTransaction?: string;
};

export type Binding = { endpoint: Endpoint; handler: Handler<Endpoint, unknown> };

export type Params = Readonly<Record<string, number | string>>;

/** How to read the record of an answer: through the address at the start of the path, or the one below it. */
export type RecordRead = { route: Route; params: (params: Params, id: number) => Params | undefined };

export type Route = Binding & {
  /** How the record of its answer is reread. */
  recordRead?: RecordRead | undefined;
};

/** Binds a handler to a declared endpoint. */
export const bind = <const E extends Endpoint, Found = undefined>(
  endpoint: E,
  handler: Handler<NoInfer<E>, Found>,
): Binding => ({
  endpoint,
  handler: handler as unknown as Handler<Endpoint, unknown>,
});
