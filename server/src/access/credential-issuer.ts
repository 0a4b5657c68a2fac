import { sql } from 'kysely';

/**
 * SQL for the person who issued the credential (a password or a link) that the session began with, and who may be its
 * actual user; null for a credential of the user's own. The session stores it, because the credential may be gone.
 */
export const credentialIssuer = ({ session_id }: { session_id: number | null }) =>
  sql<number | null>`(select s.let_in_by_id from session_register s where s.id = ${session_id}::bigint)`;

/** SQL for who answers for what a session sets up: its user, or who issued the credential and may be acting. */
export const accountableUser = (actor: { session_id: number; user_id: number }) =>
  sql<number>`coalesce(${credentialIssuer(actor)}, ${actor.user_id}::bigint)`;
