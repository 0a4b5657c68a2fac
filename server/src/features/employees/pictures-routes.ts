import { employees, text } from '@tenure/contract';
import type { Actor } from '../../access/actor.ts';
import type { Db } from '../../db/connect.ts';
import { bind } from '../../http/context.ts';
import { done } from '../../http/replies.ts';
import { pictureReply, removePicture, replacePicture } from '../../people/pictures.ts';
import { requireAdminFor } from '../../people/policy.ts';
import { employeeReply, findEmployee } from '../../people/queries.ts';
import type { EmployeeRecord } from '../../people/record.ts';

const changing = {
  find: ({ db, actor, params }: { db: Db; actor: Actor; params: { id: number } }) =>
    findEmployee({ db, actor }, params.id, 'employees.update', { lock: true }),
  allow: ({ actor }: { actor: Actor }, person: EmployeeRecord) => requireAdminFor(actor, person),
};

export const pictureRoutes = [
  bind(employees.picture, {
    find: (ctx) => findEmployee(ctx, ctx.params.id, 'employees.view'),
    handle: (ctx, { picture_key, employee_number }) =>
      pictureReply(ctx, { picture_key, name: employee_number.replaceAll('/', '-') }),
  }),
  bind(employees.setPicture, {
    ...changing,
    handle: async (ctx, person) => {
      await replacePicture(ctx, person, ctx.file);
      return done(await employeeReply(ctx, person.id), text('employees.picture_saved'));
    },
  }),
  bind(employees.removePicture, {
    ...changing,
    handle: (ctx, person) => removePicture(ctx, person),
  }),
];
