import type { BodyIn, Endpoint, ParamsOf, QueryIn, Refusal, Reply } from '@tenure/contract';
import { ApiError } from './api-error.ts';
import { apiBase } from './base.ts';
import { csrfToken, refreshCsrfToken } from './csrf.ts';

type ParamsPart<E extends Endpoint> = string extends E['path']
  ? { params?: Record<string, number | string> }
  : unknown extends ParamsOf<E>
    ? { params?: undefined }
    : { params: ParamsOf<E> };
type Part<K extends string, T> = [T] extends [undefined] ? { [k in K]?: undefined } : { [k in K]?: T };
type RequiredPart<K extends string, T> = [T] extends [undefined] ? { [k in K]?: undefined } : { [k in K]: T };

/** The input of a call: path parameters, query, body and file. */
export type Input<E extends Endpoint> = ParamsPart<E> &
  Part<'query', QueryIn<E>> &
  RequiredPart<'body', BodyIn<E>> & { file?: File };

type Scalar = string | number | boolean | null | undefined;
type Loose = {
  params?: Record<string, number | string>;
  query?: Record<string, Scalar>;
  body?: Record<string, unknown>;
  file?: File;
};

export type CallOptions = {
  signal?: AbortSignal;
  /** The request continues after its page is closed. */
  keepalive?: true;
  /** Reports the uploaded fraction of the body, from 0 to 1. */
  onProgress?: (part: number) => void;
  /** Set for a request that begins a session: no other request runs at the same time. */
  alone?: true;
};

/** The URL of an endpoint with path parameters and query filled in; empty query values are omitted. */
export function address<E extends Endpoint>(endpoint: E, input: Omit<Input<E>, 'body' | 'file'>): string {
  const { params = {}, query = {} } = input as Loose;
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => String(params[name]));
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if ((value ?? '') !== '') search.set(key, String(value));
  }
  return `${apiBase}/api${path}${search.size > 0 ? `?${search}` : ''}`;
}

/** Encodes a file and its settings as a form; values that are not text are JSON. */
function asForm(body: Record<string, unknown>, file: File): FormData {
  const form = new FormData();
  for (const [key, value] of Object.entries(body)) {
    if (value === undefined || value === null) continue;
    form.set(key, typeof value === 'string' ? value : JSON.stringify(value));
  }
  form.set('file', file);
  return form;
}

function requestOf(endpoint: Endpoint, { body, file }: Loose): RequestInit {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (document.documentElement.lang) headers['Accept-Language'] = document.documentElement.lang;
  if (endpoint.method !== 'GET') headers['X-XSRF-TOKEN'] = csrfToken() ?? '';
  if (body && !file) headers['Content-Type'] = 'application/json';
  return {
    method: endpoint.method,
    headers,
    credentials: 'include',
    ...(file ? { body: asForm(body ?? {}, file) } : body && { body: JSON.stringify(body) }),
  };
}

/** Reads an error answer into an `ApiError`. */
export async function refusalOf(response: Response): Promise<ApiError> {
  const refusal = (await response.json().catch(() => ({ message: response.statusText }))) as Refusal;
  return new ApiError(response.status, refusal, Number(response.headers.get('Retry-After')) || undefined);
}

/**
 * Pending requests. An answer carries the cookies that its request was sent with, so a late one would replace those of
 * a session that began in the meantime.
 */
const running = new Set<Promise<unknown>>();
/** The end of the last request that ran alone. */
let alone: Promise<unknown> | undefined;

/** Waits for the running requests, but only for a while: a lost one must not block a sign-in. */
const quiet = () => Promise.race([Promise.all(running), new Promise((resolve) => setTimeout(resolve, 5_000))]);

/** Runs a task. One that must run alone waits for the running ones, and later ones wait for it. */
function inTurn<T>(task: () => Promise<T>, isAlone = false): Promise<T> {
  const before = isAlone ? quiet() : alone;
  const turn = before ? before.then(task) : task();
  const end = turn.catch(() => undefined).finally(() => running.delete(end));
  running.add(end);
  if (isAlone) alone = end;
  return turn;
}

/** Sends a request; throws an `ApiError` with status 0 if there is no answer. */
export async function send(
  url: string,
  request: RequestInit,
  onProgress?: CallOptions['onProgress'],
): Promise<Response> {
  try {
    if (!onProgress) return await fetch(url, request);
    const { transfer } = await import('./transfer.ts');
    return await transfer(url, request, onProgress);
  } catch (error) {
    if (request.signal?.aborted) throw error;
    throw new ApiError(0, { message: 'The service did not answer.' });
  }
}

type Attempt = () => Promise<Response>;
/** Repeats a refused request after the user has confirmed their identity, or throws the refusal. */
export type Confirm = (refusal: ApiError, attempt: Attempt) => Promise<Response>;
/** How to ask for a confirmation; until this is set, refusals are final. */
export const confirmation: { by?: Confirm | undefined } = {};

/** Continues after a refusal that a confirmation resolves; throws every other one. */
export async function afterStepUp(refused: Response, attempt: Attempt): Promise<Response> {
  const refusal = await refusalOf(refused);
  if (!refusal.refusal.step_up || !confirmation.by) throw refusal;
  return confirmation.by(refusal, attempt);
}

/**
 * Calls an endpoint of the contract. Changes carry the CSRF token. If the service refuses the token (419), a new one is
 * fetched and the call is repeated once. If the service requires a confirmation, the user is asked. Every other refusal
 * is thrown as `ApiError`.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  options: CallOptions = {},
): Promise<Reply<E>> {
  const url = address(endpoint, input);
  const { onProgress, alone: isAlone, ...how } = options;
  const attempt = () => send(url, { ...requestOf(endpoint, input as Loose), ...how }, onProgress);
  let response = await inTurn(async () => {
    if (endpoint.method !== 'GET' && !csrfToken()) await refreshCsrfToken();
    const first = await attempt();
    if (first.status !== 419) return first;
    await refreshCsrfToken();
    return attempt();
  }, isAlone);
  if (!response.ok) response = await afterStepUp(response, attempt);
  return (response.status === 204 ? undefined : await response.json()) as Reply<E>;
}
