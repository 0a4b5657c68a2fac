import type { AuditVerb, reveals } from '@tenure/contract';
import { sql } from 'kysely';
import { holds } from '../../../access/actor.ts';
import type { Actor } from '../../../access/actor.ts';
import { refusePrivateInView } from '../../../access/role-view.ts';
import { record } from '../../../audit.ts';
import type { Ctx } from '../../../http/context.ts';
import { forbidden } from '../../../http/errors.ts';
import type { ScopedPerson } from '../../../people/policy.ts';
import { covers, fieldsFor, isSelf, privateReach } from '../../../people/policy.ts';
import type { EmployeeRecord } from '../../../people/record.ts';

type Reveal = (typeof reveals)[number];

const note = (ctx: Ctx, person: EmployeeRecord, verb: AuditVerb<'employee'>) =>
  record(ctx, {
    action: `employee.${verb}`,
    subject_id: person.id,
    subject_label: person.name,
    entity_id: person.entity_id,
  });

/**
 * True for the first access of this reader to this person in a quarter of an hour. Of simultaneous accesses, it is true
 * for one: the others wait for its row.
 */
async function isNewLook({ db, actor }: Ctx, person: EmployeeRecord): Promise<boolean> {
  const { rows } = await sql`
    insert into private_looks (user_id, employee_id) values (${actor.user_id}, ${person.id})
    on conflict (user_id, employee_id) do update set looked_at = now()
      where private_looks.looked_at <= now() - interval '15 minutes'
    returning 1`.execute(db);
  return rows.length > 0;
}

/** Refuses private details in an export to users without the permission, and while viewing as another role. */
export function allowPrivateExport(actor: Actor): void {
  if (!holds(actor, 'employees.view_sensitive')) throw forbidden();
  refusePrivateInView(actor);
}

type Exported = ScopedPerson & { name: string };

/** Records for each of these people that their private details are exported; before the file contains them. */
export async function recordPrivateExport(ctx: Ctx, people: readonly Exported[], reveal: Reveal): Promise<void> {
  const groups = fieldsFor(ctx.actor);
  const shown = people.filter((person) => groups(person).private && (reveal === 'bank' || !isSelf(ctx.actor, person)));
  if (shown.length === 0) return;
  await record(
    ctx,
    ...shown.map((person) => ({
      action: reveal === 'bank' ? ('employee.bank_exported' as const) : ('employee.private_exported' as const),
      subject_id: person.id,
      subject_label: person.name,
      entity_id: person.entity_id,
    })),
  );
}

/** All users read their own record; full bank numbers need a permission that covers one's own record. */
const mayReveal = ({ actor }: Ctx, person: EmployeeRecord, reveal: Reveal): boolean =>
  reveal === 'bank' ? covers(actor, privateReach(actor), person) : fieldsFor(actor)(person).private;

/**
 * Records access to another person's private details: once per reading period, for full bank numbers each time. Throws
 * 403, which is also recorded, for details that the actor cannot see.
 */
export async function recordPrivateLook(ctx: Ctx, person: EmployeeRecord, reveal: Reveal): Promise<void> {
  // while viewing as another role, users still see their own private details, except the logged bank numbers
  if (reveal === 'bank' || !isSelf(ctx.actor, person)) refusePrivateInView(ctx.actor);
  if (!mayReveal(ctx, person, reveal)) {
    await note(ctx, person, 'reveal_refused');
    throw forbidden();
  }
  if (reveal === 'bank') await note(ctx, person, 'bank_revealed');
  else if (!isSelf(ctx.actor, person) && (await isNewLook(ctx, person))) await note(ctx, person, 'private_viewed');
}
