import type { Bench } from './bench.ts';

/** Sends a request as the administrator; returns the body of the answer. Throws unless it succeeds. */
export async function call<T>(bench: Bench, method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${bench.base}/api${path}`, {
    method,
    headers: { ...bench.admin.headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

export type Made = { data: { id: number; revision: number } };

/** A role with these permissions over all companies, for rules and service accounts. */
export async function addRole(bench: Bench, name: string, permissions: readonly string[]): Promise<number> {
  const role = { name: `${name} ${Date.now()}`, scope: 'all', permissions };
  return (await call<Made>(bench, 'POST', '/roles', role)).data.id;
}
