import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { item } from './envelope.ts';
import { integer, text } from './fields.ts';
import { filters } from './lists.ts';

export const searchTypes = ['people', 'departments', 'cycles', 'templates'] as const;

const hits = z
  .array(
    z.object({
      id: z.int(),
      label: z.string().max(255),
      sublabel: z.string().max(300).nullable(),
      url: z.string().max(255),
    }),
  )
  .optional();

export const search = {
  find: endpoint({
    method: 'GET',
    path: '/search',
    summary: 'Find people, departments and more',
    permission: 'signed in',
    scope: 'scoped',
    query: z.object({ q: text(100, 2), types: filters.oneOf(searchTypes), limit: integer(1, 20).nullish() }),
    reply: item(z.object({ people: hits, departments: hits, cycles: hits, templates: hits })),
    status: 200,
  }),
};
