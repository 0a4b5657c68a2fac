import { sql } from 'kysely';
import { record } from '../audit.ts';
import type { Call, Connection } from './connection.ts';
import type { UserRow } from './users-read.ts';

type Blocking = Pick<Call, 'db' | 'acting' | 'note'> & { connection: Pick<Connection, 'id' | 'name'> };
type Account = Pick<UserRow, 'user_id' | 'name' | 'entity_id' | 'is_reached'>;

const subjectOf = ({ user_id, name, entity_id }: Account) => ({
  subject_id: user_id,
  subject_label: name,
  entity_id,
});

/** Deactivates an account: its sessions and tokens end. Employment and responsibilities stay unchanged. */
async function block({ db, connection, acting, note }: Blocking, account: Account): Promise<void> {
  const { numAffectedRows } = await sql`
    insert into sign_in_blocks (user_id, source, connection_id, source_name)
    values (${account.user_id}, 'scim', ${connection.id}, ${connection.name})
    on conflict do nothing`.execute(db);
  if (numAffectedRows !== 1n) return;
  note.effect = 'sign_in_blocked';
  await record(acting, { action: 'sign_in_block.created', ...subjectOf(account) });
}

/** Lifts the connection's own block; the end of an employment and other blocks stay. */
async function allow({ db, connection, acting, note }: Blocking, account: Account): Promise<void> {
  const { numAffectedRows } = await sql`
    delete from sign_in_blocks
    where user_id = ${account.user_id} and source = 'scim' and connection_id = ${connection.id}`.execute(db);
  if (numAffectedRows !== 1n) return;
  note.effect = 'sign_in_allowed';
  await record(acting, { action: 'sign_in_block.deleted', ...subjectOf(account) });
}

/** Applies what a provider says about the sign-in of an account; skips one that left the connection's reach. */
export async function applySignIn(call: Blocking, account: Account, isActive: boolean): Promise<void> {
  if (account.user_id === null) return;
  call.note.user_id = account.user_id;
  if (!account.is_reached) call.note.effect = 'out_of_reach';
  else await (isActive ? allow : block)(call, account);
}
