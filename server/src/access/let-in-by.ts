import { sql } from 'kysely';

/**
 * SQL of the person who made what a session began with, and may be the one who uses it; null for none but its own
 * person. The session knows it: what it began with may be gone.
 */
export const letInBy = ({ session_id }: { session_id: number | null }) =>
  sql<number | null>`(select s.let_in_by_id from session_register s where s.id = ${session_id}::bigint)`;

/** SQL of who answers for what a session sets up: its person, or who let that person in and may be the one who acts. */
export const answersFor = (actor: { session_id: number; user_id: number }) =>
  sql<number>`coalesce(${letInBy(actor)}, ${actor.user_id}::bigint)`;
