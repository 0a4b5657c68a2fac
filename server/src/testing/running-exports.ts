import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';
import type { TestApp } from './app.ts';
import { cookieHeader } from './client.ts';

/** What tests of exports need whose clients read slowly. */
export function runningExports({ app, as, deps, owner, logged }: TestApp) {
  /** A role with these permissions. */
  async function roleWith(name: string, scope: 'own' | 'all', permissions: readonly string[]): Promise<number> {
    const { rows } = await owner.query<{ id: number }>(
      `with made as (insert into roles (name, scope) values ($1, $2) returning id)
       insert into role_permissions (role_id, permission) select id, unnest($3::text[]) from made
       returning role_id::int as id`,
      [name, scope, permissions],
    );
    return (rows[0] as { id: number }).id;
  }

  const give = (userId: number, roleId: number, entityIds: number[] | null = null) =>
    owner.query('insert into role_assignments (user_id, role_id, entity_ids) values ($1, $2, $3)', [
      userId,
      roleId,
      entityIds,
    ]);

  const takeAway = (roleId: number, permission: string) =>
    owner.query('delete from role_permissions where role_id = $1 and permission = $2', [roleId, permission]);

  /** An export of which the first bytes have been read. */
  async function begun(userId: number, path: string) {
    const { cookies } = await as(userId);
    const answer = await app.inject({
      url: `/api${path}`,
      headers: { cookie: cookieHeader(cookies), referer: `${deps.config.APP_URL}/` },
      payloadAsStream: true,
    });
    expect(answer.statusCode).toBe(200);
    const stream = answer.stream();
    const reader = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    const parts = [(await reader.next()).value as Buffer];
    /** The rows that arrive, and whether the file came to its end. */
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

  return { roleWith, give, takeAway, begun };
}
