import type * as z from 'zod';
import type { Permission } from './permissions.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Which rows an endpoint reaches; printed in the access table and in the documentation. */
export type Scope =
  /** nothing of its own rows to narrow */
  | 'none'
  /** the caller's own account, profile or queue */
  | 'own'
  /** rows in the caller's scope for the permission, else 404 */
  | 'scoped'
  /** scoped, and the caller's relationship to the row decides too, else 403 */
  | 'relationship'
  /** only for holders whose scope for the permission is everything, else 403 */
  | 'everything';

type Words = Readonly<Record<string, readonly string[]>>;

type Shape = {
  method: Method;
  /** Below `/api`, parameters as `:id`; parameters are integers, but for those in `words` and `texts`. */
  path: `/${string}`;
  /** Parameters that are one of these words; another word is a row that is not there. */
  words?: Words;
  /** Parameters that are texts of these regular expressions; another text is a row that is not there. */
  texts?: Readonly<Record<string, string>>;
  summary: string;
  /** What the caller must hold; a list means any one of them. `signed in`: any session. `public`: no session. */
  permission: Permission | readonly Permission[] | 'signed in' | 'public';
  scope: Scope;
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** The body of a success; absent for 204 and for files. */
  reply?: z.ZodObject;
  status: 200 | 201 | 204;
  /** Takes one file in the multipart field `file`; the value names its row in the table of file limits. */
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
  /** The file may be left out; the rest may then come as JSON too. */
  upload_optional?: true;
  /** Answers a file instead of JSON, of one of these kinds, each by the ending of its name. */
  file?: readonly string[];
  /** Browsers keep the file and ask with its tag, which is answered with 304. */
  cached?: true;
  /** Answers server-sent events for as long as the session lives. */
  stream?: true;
  /**
   * The answer holds a secret that is shown once: never stored, never compressed. A text names the field of the reply
   * that is the secret, where it is not always there.
   */
  secret?: true | string;
  /**
   * The person must have proved within `STEP_UP_MINUTES` that it is them, where the installation demands it; `query`:
   * only where that parameter is sent with a value that is none of `except`; `changes`: only where one of these fields
   * would get another value, which the handler knows.
   */
  step_up?: true | { query: string; except: readonly string[] } | { changes: readonly string[] };
  /** Runs as signing in does, for people without a session: own or bare requests, with a limit per address. */
  guest?: true;
  /** 404 unless this setting of the installation is on. */
  setting?: 'PASSWORD_RESET_BY_MAIL';
  /**
   * `session`: closed to tokens of programs, because it is about credentials and rights, is a declaration of a person, or
   * begins work that goes on with all rights of the account. `any`: open to them though it demands no permission.
   */
  accepts?: 'session' | 'any';
  /** Spends from a budget of its own beside the general rate limit. */
  budget?: 'export' | 'import' | 'lookup';
};

/** For what gives rights or access to others. */
export const confirmed = { accepts: 'session', step_up: true } as const;

/** Where a person signs in and where their money goes. */
export const confirmedChanges = { step_up: { changes: ['email', 'bank'] } } as const;

/**
 * Whether a program may call an endpoint with a token. A token holds permissions, so what demands none is closed unless
 * it is declared open; so is what asks people again who they are, but for exports and details that are disclosed on
 * request: there the permission of the token stands for the answer.
 */
export const opensToTokens = ({ method, permission, accepts, step_up, budget }: Shape): boolean => {
  if (permission === 'public') return accepts !== 'session' && method === 'GET';
  if (accepts) return accepts === 'any';
  return permission !== 'signed in' && (step_up !== true || budget === 'export');
};

/** Declares one endpoint. Server, client, documentation and conformance test are built from it. */
export const endpoint = <const E extends Shape>(declaration: E): E => declaration;

/**
 * Closes all endpoints of a group to tokens. Staged imports are: people look through them on the screen, and they go on
 * as jobs with all rights of the account.
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
/** The parameters of the path: ids as numbers, words and texts as such; unknown where there are none. */
export type ParamsOf<E extends Endpoint> = [NamesIn<E['path']>] extends [never]
  ? unknown
  : { [K in NamesIn<E['path']>]: Param<E, K> };
export type BodyIn<E extends Endpoint> = E['body'] extends z.ZodObject ? z.input<E['body']> : undefined;
export type BodyOut<E extends Endpoint> = E['body'] extends z.ZodObject ? z.output<E['body']> : Record<never, never>;
export type QueryIn<E extends Endpoint> = E['query'] extends z.ZodObject ? z.input<E['query']> : undefined;
export type QueryOut<E extends Endpoint> = E['query'] extends z.ZodObject ? z.output<E['query']> : Record<never, never>;
/** What the service gives for a reply, whose messages become sentences on their way out. */
export type ReplyIn<E extends Endpoint> = E['reply'] extends z.ZodObject ? z.input<E['reply']> : undefined;
export type Reply<E extends Endpoint> = E['reply'] extends z.ZodObject ? z.output<E['reply']> : undefined;
