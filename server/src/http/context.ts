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

/** What the process holds; made once in main.ts or by a test, handed to everything that needs it. */
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
  /** The way to entered addresses. */
  door: Door;
  /** The way to providers of single sign-on. */
  openId: OpenId;
  live: Live;
  metrics: Metrics;
  log: Logger;
  /** Aborted when the service is about to stop: it still serves, but balancers should send elsewhere. */
  stopping: AbortSignal;
  /** Throws on an answer that is wrong, before it is written: the tests judge every one. */
  judgeAnswer?: (endpoint: Endpoint, value: unknown) => void;
};

export type RequestInfo = {
  id: string;
  ip: string;
  user_agent: string;
  url: string;
  /** Of the answer. */
  language: LanguageId;
  /** As the browser sent it. */
  accept_language?: string | undefined;
};

/** How a file is kept by browsers; `isFinal`: its address names its content, so it never changes. */
export type FileCache = { etag: string; scope: 'public' | 'private'; isFinal: boolean };

/** A file as an answer. `size` is absent for what is streamed while it is made; without `cache` nothing keeps it. */
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

/** A handler's view of a request while it looks for its row and asks whether it may go on: no body yet. */
export type Ctx<E extends Endpoint = Endpoint> = {
  deps: Deps;
  /** The request's transaction; a GET reads without one. */
  db: Db;
  actor: Actor;
  params: ParamsOf<E>;
  request: RequestInfo;
  /** What the cookies proved. */
  credentials: Credentials;
  /** Runs once the answer is certain: after the commit, or at once where nothing was to commit. */
  afterCommit: (work: () => void | Promise<void>) => void;
  /**
   * For work without the request's transaction: claims the Idempotency-Key in the transaction that changes something.
   * What the returned function is given is the answer to repeats until the work is done, also when it is cut off and
   * goes on as a job.
   */
  claimKey: (db: Db) => Promise<(first: unknown) => Promise<void>>;
  /** Replaces the cookies of the answer. */
  setCookies: (lines: string[]) => void;
  /**
   * Who asks, with the rights of this moment, for an answer that takes long. Throws 401 or 403 once the request would be
   * refused at its beginning.
   */
  checkAgain: () => Promise<Actor>;
};

/** What a look at records needs of a request. */
export type ReadCtx = Pick<Ctx, 'db' | 'actor'>;
/** What a change of records needs of a request. */
export type WriteCtx = Pick<Ctx, 'db' | 'actor' | 'request'>;
/** The same, for what uses the process beside the database. */
export type ServiceCtx = Pick<Ctx, 'db' | 'deps' | 'actor' | 'request'>;
/** What a look at the record of a path needs. */
export type RecordCtx = ReadCtx & { params: { id: number } };
/** What a request without a signed-in user needs. */
export type GuestCtx = Pick<Ctx, 'db' | 'deps' | 'request'>;

/** How work joins the transaction of its request. */
export type TransactionHooks = Pick<Ctx, 'afterCommit' | 'claimKey'>;

/** The same with everything the client sent, checked. */
export type HandlerCtx<E extends Endpoint> = Ctx<E> & {
  query: QueryOut<E>;
  body: BodyOut<E>;
  /** The uploaded file, received and not yet kept; discarded when the handler does not keep it. */
  file: E extends { upload: string } ? (E extends { upload_optional: true } ? Upload | null : Upload) : null;
};

export type Answer<E extends Endpoint> = E extends { file: readonly string[] }
  ? FileReply
  : E extends { stream: true }
    ? StreamReply
    : E extends { status: 204 }
      ? void
      : ReplyIn<E>;

/** What a feature gives for an endpoint. The order find → allow → fields → handle is the pipeline's, not the handler's. */
export type Handler<E extends Endpoint, Found> = {
  /** Finds the row in the caller's scope, else throws notFound(). Runs before anything of the body is judged. */
  find?: (ctx: Ctx<E>) => Promise<Found>;
  /** Throws forbidden() when the visible row is not for this caller to change. */
  allow?: (ctx: Ctx<E>, found: Found) => void | Promise<void>;
  handle: (ctx: HandlerCtx<E>, found: Found) => Promise<Answer<E>>;
  /** What is said beside other refusals of fields: taken values and references that lead nowhere. */
  lookUps?: (sent: Sent) => LookUp[];
  /** Why this endpoint that changes data does not run in one transaction. */
  withoutTransaction?: string;
};

export type Binding = { endpoint: Endpoint; handler: Handler<Endpoint, unknown> };

export type Params = Readonly<Record<string, number | string>>;

/** How the record of an answer is read: by the address that begins the path, or by the one below it. */
export type RecordRead = { route: Route; params: (params: Params, id: number) => Params | undefined };

export type Route = Binding & {
  /** How what it answers with is read again. */
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
