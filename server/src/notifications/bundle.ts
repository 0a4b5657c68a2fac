import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/**
 * A bulk change by one user, of which each person gets a single notification: the event's texts `several`, or
 * `own_several` instead of `own`. A person with one record is notified as usual.
 */
export type Bundle = {
  /** Identifies the change in the keys of its notifications. */
  key: string;
  /** SQL of the page to open, by `variant`. */
  url: RawBuilder<unknown>;
};

/** Rows of `notifyEach`, with a person's rows of one variant combined; with `others`, other rows unchanged. */
const counted = (rows: RawBuilder<unknown>) => sql`
  select r.*, count(*) over w as among, row_number() over (w order by subject_id) as place
  from (select distinct on (user_id, variant, subject_id) * from (${rows}) as one) as r
  window w as (partition by user_id, variant)`;

/** The rows that people are notified of. */
export const bundled = (rows: RawBuilder<unknown>, bundle: Bundle | undefined) =>
  bundle === undefined
    ? rows
    : sql`
        select user_id, subject_id, case when among = 1 then round else ${bundle.key} || '-' || variant end as round,
               case when among = 1 then url else ${bundle.url} end as url,
               params || jsonb_build_object('count', among) as params,
               case when among = 1 then variant when variant = 'plain' then 'several' else variant || '_several' end
                 as variant, copy_to
        from (${counted(rows)}) as b where place = 1`;

/** The bundled rows, for what counts them one by one. */
export const inBundle = (rows: RawBuilder<unknown>) => sql`
  select user_id, subject_id, round, url, params, variant, copy_to from (${counted(rows)}) as b where among > 1`;
