import * as z from 'zod';
import { employeeInput } from './employee-fields.ts';
import { endpoint } from './endpoint.ts';
import { activityStatuses } from './employee-rows.ts';
import { item, Ref } from './envelope.ts';
import { id } from './fields.ts';

const { employee_number, email, first_name, last_name } = employeeInput;
/** Null if it was not requested. */
const taken = z.boolean().nullable();

export const SimilarPerson = z.object({
  id: z.int(),
  employee_number: z.string().max(20),
  name: z.string().max(255),
  job_title: z.string().max(150).nullable(),
  entity: Ref,
  department: Ref,
  activity_status: z.enum(activityStatuses),
  /** First and last name are equal, ignoring case and accents. */
  is_same_name: z.boolean(),
});
export type SimilarPerson = z.output<typeof SimilarPerson>;

export const duplicates = {
  find: endpoint({
    method: 'GET',
    path: '/employees/duplicates',
    summary: 'Whether a number or an address is taken, and who has a similar name',
    permission: ['employees.create', 'employees.update'],
    scope: 'scoped',
    query: z.object({
      employee_number,
      email: email.nullish(),
      first_name: first_name.nullish(),
      last_name: last_name.nullish(),
      /** The person whose form it is, if the person already exists. */
      employee_id: id().nullish(),
    }),
    reply: item(z.object({ employee_number: taken, email: taken, similar: z.array(SimilarPerson) })),
    budget: 'lookup',
    status: 200,
  }),
};
