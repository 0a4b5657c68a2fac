import { absences, text } from '@tenure/contract';
import type { Text } from '@tenure/contract';
import { bind } from '../../../http/context.ts';
import type { RecordCtx, WriteCtx } from '../../../http/context.ts';
import { conflict, forbidden } from '../../../http/errors.ts';
import { done, pageOf } from '../../../http/replies.ts';
import { can, fieldsFor, lastDayPast, requireOther } from '../../../people/policy.ts';
import { findEmployee } from '../../../people/queries.ts';
import type { EmployeeRecord } from '../../../people/record.ts';
import { recordPrivateLook } from '../record/private-looks.ts';
import { listCovered } from './covered.ts';
import { findAbsence, listAbsences, presentAbsence } from './queries.ts';
import { changeAbsence, deleteAbsence, endAbsence, recordAbsence } from './write.ts';

const person = (ctx: RecordCtx) => findEmployee(ctx, ctx.params.id, 'employees.update', { lock: true });

/** An absence of the person in the path, with the person's row locked. */
const ofPerson = {
  find: async (ctx: RecordCtx & { params: { id: number; absenceId: number } }) => {
    const found = await person(ctx);
    return { person: found, absence: await findAbsence(ctx.db, found, ctx.params.absenceId) };
  },
  allow: ({ actor }: RecordCtx, found: { person: EmployeeRecord }) => requireOther(actor, found.person),
};

/** The absence after the change; with the reason if the request wrote it. */
async function afterwards(
  ctx: WriteCtx,
  who: EmployeeRecord,
  id: number,
  { sent, message }: { sent: object; message: Text },
) {
  const present = presentAbsence(ctx.actor, who, { reveal: 'absence_reason' in sent });
  return done(present(await findAbsence(ctx.db, who, id)), message);
}

export const absenceRoutes = [
  bind(absences.list, {
    find: (ctx) => findEmployee(ctx, ctx.params.id, 'employees.view'),
    // readers who see only the card do not see absences
    allow: ({ actor }, who) => {
      if (!fieldsFor(actor)(who).work) throw forbidden();
    },
    handle: async (ctx, who) => {
      if (ctx.query.reveal) await recordPrivateLook(ctx, who, ctx.query.reveal);
      return pageOf(ctx, ctx.query, await listAbsences(ctx.db, ctx.actor, who, ctx.query));
    },
  }),
  bind(absences.covered, { handle: async (ctx) => pageOf(ctx, ctx.query, await listCovered(ctx, ctx.query)) }),
  bind(absences.create, {
    find: person,
    allow: ({ actor }, who) => requireOther(actor, who),
    handle: async (ctx, who) => {
      const { actor, body } = ctx;
      if (!can(actor)(who).includes('absences') && lastDayPast(who))
        throw conflict(text('absences.has_left'), { status: who.employment_lifecycle, revision: who.revision });
      const id = await recordAbsence(ctx, who, body);
      return afterwards(ctx, who, id, { sent: body, message: text('absences.recorded') });
    },
  }),
  bind(absences.update, {
    ...ofPerson,
    handle: async (ctx, found) => {
      await changeAbsence(ctx, found, ctx.body);
      return afterwards(ctx, found.person, found.absence.id, { sent: ctx.body, message: text('absences.changed') });
    },
  }),
  bind(absences.end, {
    ...ofPerson,
    handle: async (ctx, found) => {
      await endAbsence(ctx, found, ctx.body);
      return afterwards(ctx, found.person, found.absence.id, { sent: {}, message: text('absences.ended') });
    },
  }),
  bind(absences.delete, {
    ...ofPerson,
    handle: async (ctx, found) => deleteAbsence(ctx, found.person, found.absence),
  }),
];
