import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { day, item, Ref } from './envelope.ts';

/** The most people in each list on the home page; further ones are only counted. */
export const shownOnHome = 6;

const person = {
  id: z.int(),
  name: z.string().max(180),
  job_title: z.string().max(120).nullable(),
  department: Ref,
  profile_picture_url: z.string().max(255).nullable(),
  /** The day this year, never its actual year. */
  day,
};
const people = <T extends z.ZodRawShape>(more: T) =>
  z.object({ people: z.array(z.object({ ...person, ...more })), total: z.int() });

/** News about the people around the user. */
export const HomeNews = z.object({
  announcements: z.array(
    z.object({ id: z.int(), title: z.string().max(120), body: z.string().max(4_000), starts_on: day }),
  ),
  /** People in the directory who started in the last two weeks. */
  started: people({}),
  /** People who will start, as far as the user sees their records. */
  starting: people({}),
  /** People in the directory who complete a number of years within two weeks from today. */
  anniversaries: people({ years: z.int() }),
  /** People in the directory who agreed to show the day to colleagues. */
  birthdays: people({}),
});
export type HomeNews = z.output<typeof HomeNews>;

export const home = {
  news: endpoint({
    method: 'GET',
    path: '/home',
    summary: 'Announcements, new colleagues, work anniversaries and birthdays for the home page',
    permission: 'signed in',
    scope: 'own',
    reply: item(HomeNews),
    status: 200,
  }),
};
