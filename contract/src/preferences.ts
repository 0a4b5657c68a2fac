import * as z from 'zod';
import { integer, oneOf, pattern } from './fields.ts';
import { messages } from './messages.ts';
import { asIssue } from './texts.ts';

export const densities = ['comfortable', 'compact'] as const;
export const guideStates = ['dismissed'] as const;
export const birthdayChoices = ['shown'] as const;
export const appearances = ['system', 'light', 'dark'] as const;

/** The lists whose columns and density users can choose. */
export const preferenceLists = [
  'employees',
  'departments',
  'entities',
  'imports',
  'import-rows',
  'attachments',
  'job-history',
  'roles',
  'sessions',
  'audit-log',
] as const;

/** The parts of the home page in default order. */
export const homeParts = [
  'announcements',
  'tasks',
  'actions',
  'me',
  'colleagues',
  'team',
  'people',
  'structure',
  'cycle',
  'probation',
  'quality',
] as const;
export type HomePart = (typeof homeParts)[number];

/** The most bytes of JSON for an account's preferences. */
export const maxPreferencesSize = 8_192;

/** Column names as the application uses them, in order. */
export const columnNames = () =>
  z
    .array(pattern(/^[a-z][a-z0-9_-]*$/, 40))
    .max(50)
    .refine((names) => new Set(names).size === names.length, {
      error: asIssue(messages.duplicate),
    });

const homePartNames = () =>
  z
    .array(oneOf(homeParts))
    .max(homeParts.length)
    .refine((names) => new Set(names).size === names.length, { error: asIssue(messages.duplicate) });

/** An object that refuses unknown keys by name, because a preference that is not stored would seem to be. */
const known = <T extends z.ZodRawShape>(shape: T) =>
  z
    .looseObject(shape)
    .check(({ value, issues }) => {
      for (const key of Object.keys(value))
        if (!(key in shape))
          issues.push({ code: 'custom', input: value, path: [key], message: asIssue(messages.prohibited) });
    })
    .transform((value) => value as z.output<z.ZodObject<T>>);

const listInput = known({
  columns: columnNames().nullish(),
  density: oneOf(densities).nullish(),
  per_page: integer(1, 100).nullish(),
}).nullish();
const listInputs = Object.fromEntries(preferenceLists.map((list) => [list, listInput])) as Record<
  (typeof preferenceLists)[number],
  typeof listInput
>;

/** What a profile update may send: absent keys stay, null deletes one, lists are merged one by one. */
export const preferencesInput = known({
  appearance: oneOf(appearances).nullish(),
  density: oneOf(densities).nullish(),
  /** A page of the application, by its path. */
  start_page: pattern(/^\/([a-z0-9-]+(\/[a-z0-9-]+)*)?$/, 100).nullish(),
  lists: known(listInputs).nullish(),
  /** The home page's guide for new installations. */
  guide: oneOf(guideStates).nullish(),
  /** Colleagues see the day and month of the birthday; otherwise no one does. */
  birthday: oneOf(birthdayChoices).nullish(),
  /** The parts that the home page shows, and their order; unnamed parts keep their place. */
  home: known({ order: homePartNames().optional(), hidden: homePartNames().optional() }).nullish(),
});

export const Preferences = z.object({
  appearance: z.enum(appearances).optional(),
  density: z.enum(densities).optional(),
  start_page: z.string().max(100).optional(),
  guide: z.enum(guideStates).optional(),
  birthday: z.enum(birthdayChoices).optional(),
  home: z
    .object({ order: z.array(z.enum(homeParts)).optional(), hidden: z.array(z.enum(homeParts)).optional() })
    .optional(),
  lists: z
    .partialRecord(
      z.enum(preferenceLists),
      z.object({
        columns: z.array(z.string().max(40)).optional(),
        density: z.enum(densities).optional(),
        per_page: z.int().optional(),
      }),
    )
    .optional(),
});
export type Preferences = z.output<typeof Preferences>;
