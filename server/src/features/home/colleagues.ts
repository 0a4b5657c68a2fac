import { shownOnHome } from '@tenure/contract';
import type { HomeNews } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { ReadCtx } from '../../http/context.ts';
import { refTo } from '../../db/refs.ts';
import { inDirectory } from '../../people/directory.ts';
import { peopleIn } from '../../access/scope.ts';
import { workReach } from '../../people/policy.ts';
import type { Place } from './place.ts';

type Lists = Omit<HomeNews, 'announcements'>;
type Kind = keyof Lists;
type Row = Lists['anniversaries']['people'][number] & { kind: Kind; total: number };

const week = 7;
/** For the lists that do not show years. */
const noYears = sql`0`;
const noOne = { people: [], total: 0 };

/** The day of the year like the SQL function `month_day`: 229 for 29 February. */
const monthDay = (day: Temporal.PlainDate) => day.month * 100 + day.day;

/** True for days whose anniversary is within two weeks from today: 29 February comes before 1 March. */
function comesSoon(column: RawBuilder<unknown>, today: Temporal.PlainDate): RawBuilder<SqlBool> {
  const [from, after] = [monthDay(today), monthDay(today.add({ days: 2 * week + 1 }))];
  const day = sql`month_day(${column})`;
  return from < after
    ? sql<SqlBool>`(${day} >= ${from} and ${day} < ${after})`
    : sql<SqlBool>`(${day} >= ${from} or ${day} < ${after})`;
}

/** Full years from a past day to its next anniversary, today included. */
const yearsOf = (column: RawBuilder<unknown>, today: Temporal.PlainDate) => sql`
  (${today.year} - extract(year from ${column})::integer
   + case when month_day(${column}) < ${monthDay(today)} then 1 else 0 end)`;

/** The next anniversary of a day; 29 February has it on the 28th in other years. */
const returnOf = (column: RawBuilder<unknown>, today: Temporal.PlainDate) =>
  sql`(${column} + make_interval(years => ${yearsOf(column, today)}))::date`;

/** People `e`: the columns of a card on the home page. Only the list `starting` includes the reader. */
const list = (kind: Kind, day: RawBuilder<unknown>, years: RawBuilder<unknown>, rest: RawBuilder<unknown>) => sql`
  select ${kind}::text as kind, e.id, e.name, e.job_title, e.department_id,
         case when ${kind} <> 'starting' and e.picture_key is not null
           then '/api/directory/' || e.id || '/profile-picture' end as profile_picture_url,
         ${day} as day, ${years}::integer as years
  from employees e ${rest}`;

/** The lists of people in the directory, in the reader's company. */
function fromDirectory(entityId: number, today: Temporal.PlainDate): RawBuilder<unknown>[] {
  const joined = sql`e.joining_date`;
  const born = sql`e.date_of_birth`;
  const here = sql<SqlBool>`${inDirectory('e')} and e.entity_id = ${entityId}`;
  const [now, since] = [today.toString(), today.subtract({ days: 2 * week }).toString()];
  return [
    list('started', joined, noYears, sql`where ${here} and e.joining_date between ${since}::date and ${now}::date`),
    list(
      'anniversaries',
      returnOf(joined, today),
      yearsOf(joined, today),
      sql`where ${here} and ${comesSoon(joined, today)} and ${yearsOf(joined, today)} > 0`,
    ),
    list(
      'birthdays',
      returnOf(born, today),
      noYears,
      sql`join users u on u.id = e.user_id and u.preferences ->> 'birthday' = 'shown'
          where ${here} and ${comesSoon(born, today)}`,
    ),
  ];
}

/**
 * New colleagues, anniversaries and birthdays around the reader, each list if `shownOnHome`: people of the reader's
 * department first, then the nearest days first. One statement.
 */
export async function readColleagues(
  { db, actor }: Pick<ReadCtx, 'db' | 'actor'>,
  place: Place,
  hasDirectory: boolean,
): Promise<Lists> {
  const today = Temporal.PlainDate.from(place.today);
  const soon = today.add({ days: 4 * week }).toString();
  const starting = list(
    'starting',
    sql`e.joining_date`,
    noYears,
    sql`where e.activity_status = 'joining' and e.deleted_at is null and ${peopleIn(actor, workReach(actor))}
        and e.joining_date <= ${soon}::date`,
  );
  const lists = [starting, ...(hasDirectory && place.entity_id !== null ? fromDirectory(place.entity_id, today) : [])];
  const { rows } = await sql<Row>`
    select l.kind, l.id, l.name, l.job_title, ${refTo('d')} as department, l.profile_picture_url, l.day, l.years, l.total
    from (select u.*, count(*) over (partition by u.kind) as total, row_number() over (
            partition by u.kind
            order by u.department_id is distinct from ${place.department_id}::bigint, abs(u.day - ${place.today}::date),
                     u.id) as rank
          from (${sql.join(lists, sql` union all `)}) as u) as l
    join departments d on d.id = l.department_id
    where l.rank <= ${shownOnHome}
    order by l.day, l.rank`.execute(db);
  const of = (kind: Kind) => rows.filter((row) => row.kind === kind);
  const people = (kind: Kind) => {
    const found = of(kind);
    return found[0] ? { people: found.map(shown), total: found[0].total } : noOne;
  };
  return {
    started: people('started'),
    starting: people('starting'),
    birthdays: people('birthdays'),
    anniversaries: {
      total: of('anniversaries')[0]?.total ?? 0,
      people: of('anniversaries').map((row) => ({ ...shown(row), years: row.years })),
    },
  };
}

const shown = ({ id, name, job_title, department, profile_picture_url, day }: Row) => ({
  id,
  name,
  job_title,
  department,
  profile_picture_url,
  day,
});
