import type { SignInBlock } from '@tenure/contract';
import { sql } from 'kysely';
import { record } from '../../audit.ts';
import type { ReadCtx, WriteCtx } from '../../http/context.ts';
import { notFound } from '../../http/errors.ts';
import { findEmployees } from '../../people/queries.ts';

/** Who switched the sign-in of a person in scope off. Throws 404. */
export async function listBlocks(ctx: ReadCtx, employeeId: number): Promise<SignInBlock[]> {
  const found = await findEmployees(ctx, [employeeId], 'employees.reset_password');
  if (!found.has(employeeId)) throw notFound();
  const { rows } = await sql<SignInBlock>`
    select b.id, b.source_name as source, b.since from sign_in_blocks b
    join employees e on e.user_id = b.user_id where e.id = ${employeeId} order by b.since, b.id`.execute(ctx.db);
  return rows;
}

type Block = { id: number; user_id: number; name: string; entity_id: number; source: string | null };

/** A block of a person, locked. Throws 404. */
export async function lockBlock({ db }: ReadCtx, employeeId: number, id: number): Promise<Block> {
  const { rows } = await sql<Block>`
    select b.id, b.user_id, e.name, e.entity_id, b.source_name as source from sign_in_blocks b
    join employees e on e.user_id = b.user_id and e.deleted_at is null
    where e.id = ${employeeId} and b.id = ${id} for update of b`.execute(db);
  const [row] = rows;
  if (!row) throw notFound();
  return row;
}

/** Lifts a block, for the day its identity provider is gone or wrong. */
export async function liftBlock(ctx: WriteCtx, block: Block): Promise<void> {
  await ctx.db.deleteFrom('sign_in_blocks').where('id', '=', block.id).execute();
  await record(ctx, {
    action: 'sign_in_block.deleted',
    subject_id: block.user_id,
    subject_label: block.name,
    entity_id: block.entity_id,
    changes: { source: { from: block.source, to: null } },
  });
}
