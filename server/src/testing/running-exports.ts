import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';
import type { TestApp } from './app.ts';
import { cookieHeader } from './client.ts';
import { givenRoles } from './given-roles.ts';

/** For tests of exports whose clients read slowly. */
export function runningExports({ app, as, deps, owner, logged }: TestApp) {
  /** An export whose first bytes have been read. */
  async function begunWith(headers: Record<string, string>, path: string) {
    const answer = await app.inject({ url: `/api${path}`, headers, payloadAsStream: true });
    expect(answer.statusCode).toBe(200);
    const stream = answer.stream();
    const reader = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    const parts = [(await reader.next()).value as Buffer];
    /** The remaining rows, and whether the file was complete. */
    const rest = async () => {
      let isWhole = true;
      const before = logged.length;
      try {
        for (let next = await reader.next(); !next.done; next = await reader.next()) parts.push(next.value);
      } catch {
        isWhole = false;
      }
      const text = Buffer.concat(parts).toString('utf8');
      const rows = parse(text, { columns: true, bom: true, relax_column_count: true }) as Record<string, string>[];
      return { isWhole, rows, lines: logged.slice(before).join('\n') };
    };
    return { stream, rest };
  }

  /** The same in a browser where a user has signed in. */
  async function begun(userId: number, path: string) {
    const { cookies } = await as(userId);
    return begunWith({ cookie: cookieHeader(cookies), referer: `${deps.config.APP_URL}/` }, path);
  }

  return { ...givenRoles({ owner }), begun, begunWith };
}
