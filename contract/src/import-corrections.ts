import * as z from 'zod';
import { item } from './envelope.ts';
import { revision, text } from './fields.ts';
import { dateFormats } from './imports.ts';
import { messageField } from './message-field.ts';

/** Errors that several rows share, most frequent first, and the date formats that fit the file. */
export const ImportProblems = z.object({
  repeated: z
    .array(
      z.object({
        field: z.string().max(60),
        /** The value in all these rows; empty for empty cells. */
        value: z.string().max(5_000),
        rows: z.int(),
        message: messageField(1_000),
        /** The existing name that the value resembles. */
        suggestion: z.string().max(255).nullable(),
      }),
    )
    .max(20),
  /** Null if the import's format reads the dates as well as any other. */
  dates: z
    .object({
      /** The formats that read most of the dates; several if the dates are ambiguous. */
      formats: z.array(z.enum(dateFormats)).min(1).max(dateFormats.length),
      sample: z.string().max(60),
    })
    .nullable(),
});
export type ImportProblems = z.output<typeof ImportProblems>;
export type RepeatedError = ImportProblems['repeated'][number];

/** The texts in a column whose field has fixed choices, most frequent first, with the meaning of each. */
export const ImportColumnValues = z.object({
  header: z.string().max(255),
  field: z.string().max(60),
  choices: z.array(z.string().max(60)).max(100),
  values: z
    .array(
      z.object({
        text: z.string().max(5_000),
        rows: z.int(),
        /** The choice; null for an empty cell or an unknown text. */
        value: z.string().max(60).nullable(),
        /** `exact` and `chosen` apply; `remembered` and `suggested` are proposals; `unknown` has none. */
        source: z.enum(['exact', 'chosen', 'remembered', 'suggested', 'unknown']),
      }),
    )
    .max(200),
  /** How many further texts the column has. */
  more: z.int(),
});
export type ImportColumnValues = z.output<typeof ImportColumnValues>;

/** One value of a column, replaced in all rows where it is an error; the id is for undoing it. */
const ImportReplacement = z.object({ id: z.int(), field: z.string().max(60), rows: z.int() });

/** The endpoints that all kinds of imports share. */
export const importCorrections = {
  problems: item(ImportProblems),
  values: item(z.array(ImportColumnValues).max(60)),
  replace: z.object({
    field: text(60),
    /** Empty or null: the empty cells. */
    from: text(5_000).nullish(),
    to: text(5_000).nullish(),
    ...revision,
  }),
  replaced: item(ImportReplacement),
};
