import type * as z from 'zod';
import type { Permission } from './permissions.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Which rows an endpoint reaches; shown in the access table and the documentation. */
export type Scope =
  /** it has no rows to limit */
  | 'none'
  /** the caller's own account, profile or queue */
  | 'own'
  /** rows in the caller's scope for the permission, else 404 */
  | 'scoped'
  /** scoped, and the caller's relationship to the row decides too, else 403 */
  | 'relationship'
  /** only for holders whose scope for the permission is unlimited, else 403 */
  | 'everything';

type Words = Readonly<Record<string, readonly string[]>>;

type Shape = {
  method: Method;
  /** Below `/api`, with parameters as `:id`. Parameters are integers, except those in `words` and `texts`. */
  path: `/${string}`;
  /** Parameters that are one of these words; any other word is a row that does not exist. */
  words?: Words;
  /** Parameters that match these regular expressions; any other text is a row that does not exist. */
  texts?: Readonly<Record<string, string>>;
  summary: string;
  /** What the caller needs; any one of a list. `signed in`: any session. `public`: no session. */
  permission: Permission | readonly Permission[] | 'signed in' | 'public';
  scope: Scope;
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** The body of a success; absent for 204 and for files. */
  reply?: z.ZodObject;
  status: 200 | 201 | 204;
  /** Accepts one file in the multipart field `file`; the value names its row in the table of file limits. */
  upload?:
    | 'attachment'
    | 'evidence'
    | 'sheet'
    | 'picture'
    | 'signature'
    | 'logo'
    | 'import'
    | 'template_import'
    | 'result_import'
    | 'attachment_import';
  /** The file is optional; without it, the rest may be JSON too. */
  upload_optional?: true;
  /** Returns a file instead of JSON, of one of these types, each given by its extension. */
  file?: readonly string[];
  /** Browsers cache the file and revalidate it with its ETag, which is answered with 304. */
  cached?: true;
  /** Streams server-sent events for as long as the session lives. */
  stream?: true;
  /**
   * The answer contains a secret that is shown once: never stored, never compressed. A text names the secret field of
   * the reply, if it is not always present.
   */
  secret?: true | string;
  /**
   * Requires a proof of identity within `STEP_UP_MINUTES`, if the installation demands it. `query`: only if that
   * parameter is sent with a value not in `except`. `changes`: only if one of these fields would change, which the
   * handler knows.
   */
  step_up?: true | { query: string; except: readonly string[] } | { changes: readonly string[] };
  /** Works like signing in, for people without a session: own or bare requests, with a limit per client address. */
  guest?: true;
  /** 404 unless this setting of the installation is on. */
  setting?: 'PASSWORD_RESET_BY_MAIL';
  /**
   * `session`: closed to programs' tokens, because it concerns credentials and rights, is a personal declaration, or
   * starts work that continues with all rights of the account. `any`: open to them although it requires no permission.
   */
  accepts?: 'session' | 'any';
  /** Also spends from a separate budget, in addition to the general rate limit. */
  budget?: 'export' | 'import' | 'lookup';
};

/** For endpoints that give rights or access to others. */
export const confirmed = { accepts: 'session', step_up: true } as const;

/** Where a person signs in, and where their money goes. */
export const confirmedChanges = { step_up: { changes: ['email', 'bank'] } } as const;

/**
 * Whether a program may call an endpoint with a token. A token holds permissions, so endpoints without one are closed
 * unless declared open. So are those that require a proof of identity, except exports and details disclosed on request:
 * there the token's permission replaces the proof.
 */
export const opensToTokens = ({ method, permission, accepts, step_up, budget }: Shape): boolean => {
  if (permission === 'public') return accepts !== 'session' && method === 'GET';
  if (accepts) return accepts === 'any';
  return permission !== 'signed in' && (step_up !== true || budget === 'export');
};

/** Declares one endpoint. Server, client, documentation and conformance test are built from it. */
export const endpoint = <const E extends Shape>(declaration: E): E => declaration;

/**
 * Closes all endpoints of a group to tokens. Used for staged imports: people review them on the screen, and they
 * continue as jobs with all rights of the account.
 */
export const forPeople = <const G extends Readonly<Record<string, object>>>(group: G) =>
  Object.fromEntries(Object.entries(group).map(([name, one]) => [name, { ...one, accepts: 'session' }])) as {
    readonly [K in keyof G]: G[K] & { readonly accepts: 'session' };
  };

export type Endpoint = Shape;
type NamesIn<P extends string> = P extends `${string}:${infer K}/${infer Rest}`
  ? K | NamesIn<`/${Rest}`>
  : P extends `${string}:${infer K}`
    ? K
    : never;
type Param<E extends Endpoint, K> = E extends { words: infer W }
  ? K extends keyof W
    ? Member<W[K]>
    : number
  : E extends { texts: infer T }
    ? K extends keyof T
      ? string
      : number
    : number;
type Member<T> = T extends readonly (infer U)[] ? U : never;
/** The parameters of the path: ids as numbers, words and texts as they are; unknown if there are none. */
export type ParamsOf<E extends Endpoint> = [NamesIn<E['path']>] extends [never]
  ? unknown
  : { [K in NamesIn<E['path']>]: Param<E, K> };
export type BodyIn<E extends Endpoint> = E['body'] extends z.ZodObject ? z.input<E['body']> : undefined;
export type BodyOut<E extends Endpoint> = E['body'] extends z.ZodObject ? z.output<E['body']> : Record<never, never>;
export type QueryIn<E extends Endpoint> = E['query'] extends z.ZodObject ? z.input<E['query']> : undefined;
export type QueryOut<E extends Endpoint> = E['query'] extends z.ZodObject ? z.output<E['query']> : Record<never, never>;
/** What the service returns for a reply, with messages that are rendered when it is sent. */
export type ReplyIn<E extends Endpoint> = E['reply'] extends z.ZodObject ? z.input<E['reply']> : undefined;
export type Reply<E extends Endpoint> = E['reply'] extends z.ZodObject ? z.output<E['reply']> : undefined;
