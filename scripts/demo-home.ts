import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { DB } from '../server/src/db/schema.ts';

/** Content for the demo's home page: announcements, and birthdays of people who agreed. */
export async function insertDemoHome(db: Transaction<DB>, today: Temporal.PlainDate): Promise<void> {
  const first = await db.selectFrom('entities').select('id').orderBy('id').executeTakeFirstOrThrow();
  const day = (days: number) => today.add({ days }).toString();
  await db
    .insertInto('announcements')
    .values([
      {
        entity_ids: null,
        title: 'Winter party: save the date',
        body: 'We meet on the first Friday of December at 18:00 in the canteen. Partners and children are welcome.\n\nTell us what you eat: https://northwind.example/winter-party',
        starts_on: day(-2),
        ends_on: day(21),
      },
      {
        entity_ids: [first.id],
        title: 'New lockers on the ground floor',
        body: 'Pick up your key at the reception until Friday.',
        starts_on: day(-6),
        ends_on: day(8),
      },
      {
        entity_ids: null,
        title: 'Offices closed over the holidays',
        body: 'All offices are closed from 24 December to 1 January.',
        starts_on: day(14),
        ends_on: day(40),
      },
    ])
    .execute();
  await sql`
    update users set preferences = preferences || '{"birthday": "shown"}'
    where id in (select user_id from employees where id % 3 <> 0)`.execute(db);
}
