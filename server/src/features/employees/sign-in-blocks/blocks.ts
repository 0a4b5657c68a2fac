import { text } from '@tenure/contract';
import type { SignInBlock } from '@tenure/contract';
import { sql } from 'kysely';
import { record } from '../../../audit.ts';
import type { Entry } from '../../../audit.ts';
import type { Db } from '../../../db/connect.ts';
import type { Ctx, ReadCtx, WriteCtx } from '../../../http/context.ts';
import { conflict, notFound } from '../../../http/errors.ts';
import { isSelf } from '../../../people/policy.ts';
import { findEmployees } from '../../../people/queries.ts';
import type { EmployeeRecord } from '../../../people/record.ts';
import { noSignIn } from '../../../people/roles.ts';

/** A manual block has a reason; its source identifies it only after the contract migration. */
const byHand = sql<boolean>`(b.reason is not null)`;

/** The blocks of an account, the oldest first. */
async function blocksOf(db: Db, userId: number | null): Promise<SignInBlock[]> {
  const { rows } = await sql<SignInBlock>`
    select b.id, b.source_name as source, ${byHand} as by_hand, coalesce(m.name, c.email) as by, b.reason, b.since
    from sign_in_blocks b
    left join users c on c.id = b.created_by
    left join employees m on m.user_id = c.id
    where b.user_id = ${userId} order by b.since, b.id`.execute(db);
  return rows;
}

/**
 * The blocks that keep a person in scope from signing in. The reason and its author are visible to readers who see how
 * the person signs in. Throws 404.
 */
export async function listBlocks(ctx: ReadCtx, employeeId: number): Promise<SignInBlock[]> {
  const person = (await findEmployees(ctx, [employeeId], 'employees.reset_password')).get(employeeId);
  if (!person) throw notFound();
  const rows = await blocksOf(ctx.db, person.user_id);
  const { actor } = ctx;
  const seesAll = !isSelf(actor, person) && (actor.is_admin || !person.is_admin) && person.cover.has('rights');
  return seesAll ? rows : rows.map((row) => ({ ...row, by: null, reason: null }));
}

type Block = {
  id: number;
  user_id: number;
  name: string;
  entity_id: number;
  source: string | null;
  by_hand: boolean;
};

/** Finds and locks a block of a person. Throws 404. */
export async function lockBlock({ db }: ReadCtx, employeeId: number, id: number): Promise<Block> {
  const { rows } = await sql<Block>`
    select b.id, b.user_id, e.name, e.entity_id, b.source_name as source, ${byHand} as by_hand from sign_in_blocks b
    join employees e on e.user_id = b.user_id and e.deleted_at is null
    where e.id = ${employeeId} and b.id = ${id} for update of b`.execute(db);
  const [row] = rows;
  if (!row) throw notFound();
  return row;
}

type Blocked = { user_id: number | null; name: string; entity_id: number };
const entryOf = ({ user_id, name, entity_id }: Blocked): Omit<Entry, 'action'> => ({
  subject_id: user_id,
  subject_label: name,
  entity_id,
});

/** Lifts a block, in case its identity provider is gone or wrong. */
export async function liftBlock(ctx: WriteCtx, block: Block): Promise<void> {
  await ctx.db.deleteFrom('sign_in_blocks').where('id', '=', block.id).execute();
  await record(ctx, {
    action: 'sign_in_block.deleted',
    ...entryOf(block),
    changes: { source: { from: block.source, to: null } },
  });
}

/** Switches a person's sign-in off manually. Throws 422 if it is already off. */
export async function blockByHand(ctx: Ctx, person: EmployeeRecord, reason: string): Promise<SignInBlock> {
  const { db, actor } = ctx;
  const { user_id, activity_status: status, revision } = person;
  if (user_id === null) throw conflict(noSignIn, { status, revision });
  if (status === 'inactive') throw conflict(text('account.may_not_sign_in'), { status, revision });
  // no source: the column default is the value for manual blocks, before and after the contract migration
  const { numAffectedRows } = await sql`
    insert into sign_in_blocks (user_id, reason, created_by)
    values (${user_id}, ${reason}, ${actor.user_id})
    on conflict do nothing`.execute(db);
  if (numAffectedRows !== 1n) throw conflict(text('account.sign_in_blocked_already'), { status, revision });
  // some readers of the log do not see how the person signs in
  const changes = { block_reason: { from: null, to: reason } };
  await record(ctx, { action: 'sign_in_block.created', ...entryOf(person), changes });
  const found = (await blocksOf(db, user_id)).find(({ by_hand }) => by_hand);
  return found as SignInBlock;
}

/** Lifts the manual block; blocks from other sources stay. Throws 404 if there is none. */
export async function allowByHand(ctx: WriteCtx, person: EmployeeRecord): Promise<void> {
  const { numAffectedRows } = await sql`
    delete from sign_in_blocks b where b.user_id = ${person.user_id} and ${byHand}`.execute(ctx.db);
  if (numAffectedRows !== 1n) throw notFound();
  await record(ctx, { action: 'sign_in_block.deleted', ...entryOf(person) });
}
