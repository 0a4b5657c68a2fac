import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { item, page, Ref } from './envelope.ts';
import { filters, listQuery } from './lists.ts';

/** The most colleagues and the most direct reports in an answer about one person. */
export const maxTeam = 100;

const card = {
  id: z.int(),
  name: z.string().max(255),
  job_title: z.string().max(150).nullable(),
  department: Ref,
  entity: Ref,
  /** Null for people without an account. */
  email: z.string().max(190).nullable(),
  /** Null if there is none, or if that person is not in the directory. */
  manager: Ref.nullable(),
  profile_picture_url: z.string().max(255).nullable(),
};

/** Everything that any signed-in user may know about a colleague, the same for all readers. */
export const DirectoryCard = z.object(card);
export type DirectoryCard = z.output<typeof DirectoryCard>;

export const DirectoryPerson = z.object({
  ...card,
  /** The managers from the top down to the person's own. */
  managers: z.array(DirectoryCard),
  /** People with the same manager, except the person. */
  colleagues: z.array(DirectoryCard),
  colleagues_count: z.int(),
  reports: z.array(DirectoryCard),
  reports_count: z.int(),
});
export type DirectoryPerson = z.output<typeof DirectoryPerson>;

const open = { method: 'GET', permission: 'signed in', scope: 'none', status: 200 } as const;

/** The company directory. If the installation turns it off, it is empty, and every person in it is a 404. */
export const directory = {
  list: endpoint({
    ...open,
    path: '/directory',
    summary: 'List the cards of all colleagues, by name',
    query: listQuery(['name'], {
      entity_id: filters.ids(),
      department_id: filters.ids(),
      /** Direct reports. */
      manager_id: filters.ids(),
    }),
    reply: page(DirectoryCard),
  }),
  places: endpoint({
    ...open,
    path: '/directory/places',
    summary: 'The companies and departments of the people in the directory',
    reply: item(
      z.object({
        entities: z.array(Ref),
        departments: z.array(z.object({ id: z.int(), name: z.string().max(255), entity: Ref })),
      }),
    ),
  }),
  get: endpoint({
    ...open,
    path: '/directory/:id',
    summary: 'The card of a colleague, with the managers above, colleagues and direct reports',
    reply: item(DirectoryPerson),
  }),
  picture: endpoint({
    ...open,
    path: '/directory/:id/profile-picture',
    summary: 'The picture of a colleague',
    file: ['webp'],
  }),
};
