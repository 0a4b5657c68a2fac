import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { allowedActions, day, item, page, PersonRef, stamps } from './envelope.ts';
import { changes, date, id, oneOf, revision, text } from './fields.ts';
import { filters, listQuery } from './lists.ts';

/** Planned: begins later. Current: includes today, by the company's calendar. Past: is over. */
export const absenceStates = ['planned', 'current', 'past'] as const;

/** Kinds of tasks that a deputy takes on. */
export const deputyTasks = ['kpi_reviews', 'probation_reviews'] as const;

/** The days of an absence; without a last day it is open-ended. */
export const AbsenceDays = z.object({ first_day: day, last_day: day.nullable() });
export type AbsenceDays = z.output<typeof AbsenceDays>;

export const Absence = AbsenceDays.extend({
  id: z.int(),
  employee_id: z.int(),
  state: z.enum(absenceStates),
  /** A private detail: for other people sent on request; absent for readers who may not see private details. */
  absence_reason: z.string().max(500).nullable().optional(),
  /** The person who does tasks of these kinds during the absence. */
  deputy_id: z.int().nullable(),
  deputy: PersonRef.nullable(),
  deputy_tasks: z.array(z.enum(deputyTasks)),
  revision: z.int(),
  ...stamps,
  allowed_actions: allowedActions,
});
export type Absence = z.output<typeof Absence>;

const body = z.object({
  first_day: date(),
  /** The last day away; open-ended without it. */
  last_day: date().nullish(),
  absence_reason: text(500).nullish(),
  deputy_id: id().nullish(),
  deputy_tasks: z.array(oneOf(deputyTasks)).max(deputyTasks.length).optional(),
});

/** An absence of another person during which the reader is the deputy. */
export const CoveredAbsence = AbsenceDays.extend({
  id: z.int(),
  employee: PersonRef,
  state: z.enum(absenceStates),
  deputy_tasks: z.array(z.enum(deputyTasks)),
});
export type CoveredAbsence = z.output<typeof CoveredAbsence>;
const listPath = '/employees/:id/absences';
const path = `${listPath}/:absenceId`;
const write = { permission: 'employees.update', scope: 'relationship', reply: item(Absence) } as const;

/** Long absences of people, who remain active. */
export const absences = {
  list: endpoint({
    method: 'GET',
    path: listPath,
    summary: 'List the absences of a person',
    permission: 'employees.view',
    scope: 'scoped',
    query: listQuery(['first_day'], {
      state: filters.oneOf(absenceStates),
      /** Also sends the reasons, and records that they were viewed. */
      reveal: z.enum(['private']).nullish(),
    }),
    reply: page(Absence),
    status: 200,
  }),
  covered: endpoint({
    method: 'GET',
    path: '/profile/covered-absences',
    summary: 'List the present and planned absences during which the user is the deputy',
    permission: 'signed in',
    scope: 'own',
    query: listQuery(['first_day'], {}),
    reply: page(CoveredAbsence),
    status: 200,
  }),
  create: endpoint({
    ...write,
    method: 'POST',
    path: listPath,
    summary: 'Record an absence of a person',
    body,
    status: 201,
  }),
  update: endpoint({
    ...write,
    method: 'PUT',
    path,
    summary: 'Change an absence',
    body: changes(body, revision),
    status: 200,
  }),
  end: endpoint({
    ...write,
    method: 'POST',
    path: `${path}/end`,
    summary: 'End an absence that has begun: the first day back',
    body: z.object({ back_on: date(), ...revision }),
    status: 200,
  }),
  delete: endpoint({
    method: 'DELETE',
    path,
    summary: 'Delete an absence that was entered by mistake or is no longer planned',
    permission: 'employees.update',
    scope: 'relationship',
    status: 204,
  }),
};
