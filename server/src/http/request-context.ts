import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../access/actor.ts';
import type { FileUse } from '../files/limits.ts';
import type { Body } from './body.ts';
import type { Deps, FileReply, Params, Route } from './context.ts';
import type { HttpError } from './errors.ts';
import type { StreamReply } from './event-stream.ts';
import type { Input } from './input.ts';
import type { Limits } from './limits.ts';
import type { OriginClass } from './origin.ts';
import type { Credentials } from './session-cookies.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the endpoint's checks found; null for an address without an endpoint. */
    context: RequestContext | null;
  }
  interface FastifyContextConfig {
    /** The endpoint's address, with its parameters by name. */
    address?: string;
    /** The kind of file that may be posted to the address. */
    upload?: FileUse | undefined;
    /** The most bytes of a body, if the address differs from others. */
    bodyBytes?: number;
  }
}

/** What the checks found about one request, as its answer needs it. */
export type RequestContext = {
  deps: Deps;
  limits: Limits;
  request: FastifyRequest;
  /** The address, with its parameters by name. */
  address: string;
  /** The path in the contract. */
  path: string;
  params: Params;
  query: Input;
  /** The endpoints that the request may mean and the actor may use; several while only the body of a POST decides. */
  routes: readonly Route[];
  /** Why the actor may not use the others. */
  refusals: Map<Route, HttpError>;
  /** True while the body of a POST may name another method. */
  isOpen: boolean;
  /** The methods of the address, for `Allow`. */
  allow: () => string;
  origin: OriginClass;
  credentials: Credentials;
  /** True once the answer may carry cookies. */
  mayCookie: boolean;
  /** Cookies that the handler set. */
  cookies: string[] | null;
  actor: Actor | null;
  /** Requests left in this minute; null for guests. */
  remaining: number | null;
};

export type Execution = {
  context: RequestContext;
  reply: FastifyReply;
  route: Route;
  params: Params;
  query: Input;
  body: Body;
};

/** A complete answer (text to send, or a file), or one that has only started. */
export type Result = {
  status: number;
  text: string;
  file?: FileReply;
  stream?: StreamReply;
  replayed?: boolean;
  secret?: boolean;
};
