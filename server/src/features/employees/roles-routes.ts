import { employees, text } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import { conflict } from '../../http/errors.ts';
import { done } from '../../http/replies.ts';
import { notifyRolesChanged } from '../../notifications/people.ts';
import { checkRevision } from '../../workflow/transition.ts';
import { answerProposal } from '../../people/former-roles.ts';
import { lastAdmin, unlessLastAdmin } from '../../people/lifecycle-admin.ts';
import { another } from './lifecycle/routes.ts';
import { employeeReply } from '../../people/queries.ts';
import { assignRoles, noSignIn } from '../../people/roles.ts';
import { touchPeople } from '../../people/row-write.ts';

export const assignmentRoutes = [
  bind(employees.setRoles, {
    ...another('employees.assign_roles'),
    handle: async (ctx, person) => {
      checkRevision(person, ctx.body, person.activity_status);
      // roles are stored in another table, but the revision of the record shows their change
      const { activity_status: status, revision, user_id } = person;
      if (user_id === null) throw conflict(noSignIn, { status, revision });
      const holder = { ...person, user_id };
      const assigned = assignRoles(ctx, holder, ctx.body.assignments);
      if (await unlessLastAdmin(assigned, () => conflict(lastAdmin, { status, revision }))) {
        await touchPeople(ctx.db, ctx.actor, [person.id]);
        await notifyRolesChanged(ctx, [user_id]);
      }
      await answerProposal(ctx, holder);
      return done(await employeeReply(ctx, person.id), text('employees.roles_updated'));
    },
  }),
];
