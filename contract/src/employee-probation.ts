import * as z from 'zod';
import { Employee } from './employee-fields.ts';
import { endpoint } from './endpoint.ts';
import { item } from './envelope.ts';
import { date, reason, revision } from './fields.ts';

const act = {
  method: 'POST',
  permission: 'employees.update',
  scope: 'relationship',
  reply: item(Employee),
  status: 200,
} as const;
const because = { reason: reason(), ...revision };

/** Changes to the end of a probation without a review's decision. */
export const probationEnds = {
  extendProbation: endpoint({
    ...act,
    path: '/employees/:id/extend-probation',
    summary: 'Extend a probation without a review',
    body: z.object({ probation_end_date: date(), ...because }),
  }),
  correctProbation: endpoint({
    ...act,
    path: '/employees/:id/correct-probation',
    summary: 'Correct a mistyped end of a probation, or take it away',
    body: z.object({ probation_end_date: date().nullish(), ...because }),
  }),
  pauseProbation: endpoint({
    ...act,
    path: '/employees/:id/probation-pause',
    summary: 'Pause a probation for a long absence',
    body: z.object({ absent_from: date(), ...because }),
  }),
  resumeProbation: endpoint({
    ...act,
    path: '/employees/:id/probation-resume',
    summary: 'Resume a paused probation; its end moves by the days of the pause',
    body: z.object({ back_on: date(), ...because }),
  }),
};
