import type { FastifyRequest } from 'fastify';
import type { Actor } from '../access/actor.ts';
import type { Body } from './body.ts';
import type { Deps, FileReply, RequestInfo } from './context.ts';
import type { StreamReply } from './event-stream.ts';
import type { Credentials } from './session-cookies.ts';
import type { Input } from './input.ts';
import type { Limits } from './limits.ts';
import type { OriginClass } from './origin.ts';
import type { Route, Params, PathBindings } from './route.ts';

/** What one request came to, as its answer needs it. */
export type RequestContext = {
  deps: Deps;
  limits: Limits;
  paths: PathBindings;
  request: FastifyRequest;
  origin: OriginClass;
  credentials: Credentials;
  /** True once the answer may carry cookies. */
  mayCookie: boolean;
  /** Cookies that the work set itself. */
  cookies: string[] | null;
  actor: Actor | null;
  /** Requests left in this minute; null for guests. */
  remaining: number | null;
};

export type Execution = {
  context: RequestContext;
  route: Route;
  params: Params;
  query: Input;
  body: Body;
  info: RequestInfo;
};

/** A finished answer: text to send, or a file; or one that has only begun. */
export type Result = {
  status: number;
  text: string;
  file?: FileReply;
  stream?: StreamReply;
  replayed?: boolean;
  secret?: boolean;
};
