import { afterAll, expect, test } from 'vitest';
import { startJoiners } from '../employees/lifecycle/joiners.ts';
import { endLeavers } from '../employees/lifecycle/leavers.ts';
import { applyDueJobChanges } from '../job-history/apply.ts';
import { databaseNow } from '../../jobs/task.ts';
import { startApp } from '../../testing/app.ts';
import { databaseWithClock } from '../../testing/clock.ts';
import { mailServer } from '../../testing/mail-server.ts';
import { openDueReviews } from './open-due.ts';
import { lives } from '../../testing/lives.ts';
import { remindOfEndings } from './reminders.ts';

/**
 * Ten people from the day they are hired: confirmed, extended, dismissed, rehired. After every row of the table in
 * testing/lives.ts, the test compares each person's tasks, notifications in the application and by mail, letters, and
 * whether the person can sign in. The test has its own clock, which starts today.
 */

const clock = await databaseWithClock();
afterAll(clock.end);
const mail = await mailServer();
const app = await startApp({ SMTP_URL: `smtp://127.0.0.1:${mail.port}` }, { database: clock.database });
const { make, as, owner, deps } = app;

const today = Temporal.Now.plainDateISO('UTC');
/** The last day of a probation of this many months: the day before the same number, or the last of a shorter month. */
const lastDay = (start: Temporal.PlainDate, months: number) => {
  const same = start.add({ months });
  return same.day === start.day ? same.subtract({ days: 1 }) : same;
};
/** The last day of a probation of three months that begins today. */
const end = lastDay(today, 3);
const endsIn = today.until(end, { largestUnit: 'days' }).days;

const entity = await make.entity({ name: 'Acme', timezone: 'UTC' });
const department = await make.department({ entity_id: entity.id });
const member = (fields: object) =>
  make.employee({ entity_id: entity.id, department_id: department.id, employment_lifecycle: 'confirmed', ...fields });
const staff = {
  manager: await member({ roles: ['Manager'] }),
  second: await member({ roles: ['Manager'] }),
  hr: await member({ roles: ['HR'] }),
  admin: await member({ roles: ['Admin'] }),
};

type Person = { id: number; user_id: number; email: string; password: string };
const people = new Map<string, Person>();
const password = 'Quiet-Meadow-58!';

async function signsIn({ email, password: own }: Person): Promise<boolean> {
  const client = await as();
  return (await client.post('/login', { email, password: own })).status === 200;
}

async function hire(name: string): Promise<void> {
  const hr = await as(staff.hr.user_id);
  const answer = await hr.post('/api/employees', {
    first_name: name,
    last_name: 'Newcomer',
    email: `${name}@acme.example`,
    entity_id: entity.id,
    department_id: department.id,
    reporting_manager_id: staff.manager.id,
    joining_date: today.toString(),
    issue_password: true,
  });
  expect(answer.status).toBe(201);
  const { id, user } = answer.body.data;
  people.set(name, { id, user_id: user.id, email: `${name}@acme.example`, password });
  const client = await as();
  await client.post('/login', { email: `${name}@acme.example`, password: answer.body.one_time_password });
  const changed = await client.put('/api/profile/password', {
    current_password: answer.body.one_time_password,
    password,
    password_confirmation: password,
  });
  expect(changed.status).toBe(200);
}

const personOf = (name: string): Person => {
  const person = people.get(name);
  if (!person) throw new Error(`${name} was not hired`);
  return person;
};

const one = async <T extends object>(text: string, ...values: unknown[]): Promise<T | undefined> =>
  (await owner.query<T>(text, values)).rows[0];

type Review = { id: number; status: string; round: number };
const reviewOf = (name: string) =>
  one<Review>(
    'select id::int, status, round::int from probation_reviews where employee_id = $1 order by id desc limit 1',
    personOf(name).id,
  );

const signature = { method: 'typed', typed_name: 'As on paper' };
const reason = 'As it was agreed with everybody.';
const written = { performance_rating: 3, comments: 'As it was seen by all of us.' };

/** The request for a word in the table: a path below the review or the person, and a body. */
const acts: Readonly<Record<string, (...words: string[]) => { at: string; body: object; method?: 'put' }>> = {
  create: () => ({ at: 'reviews', body: {} }),
  submit: (recommendation = 'confirm', months) => ({
    at: 'review/submit',
    body: { ...written, recommendation, extension_months: months ? Number(months) : null, signature },
  }),
  recall: () => ({ at: 'review/recall', body: {} }),
  'send-back': () => ({ at: 'review/send-back', body: { reason } }),
  approve: (outcome = 'confirm', months) => ({
    at: 'review/approve',
    body: { outcome, ...(months && { outcome_extension_months: Number(months) }), hr_comments: reason, signature },
  }),
  acknowledge: () => ({ at: 'review/acknowledge', body: { comment: 'Thank you.', signature } }),
  cancel: () => ({ at: 'review/cancel', body: { reason } }),
  reviewer: () => ({ at: 'review/reviewer', body: { reviewer_id: staff.second.id }, method: 'put' }),
  revert: (days = '0') => ({
    at: 'review/revert',
    body: { probation_end_date: end.add({ days: Number(days) }).toString(), reason },
  }),
  confirm: () => ({ at: 'person/confirm', body: { confirmation_date: today.toString(), reason } }),
  end: () => ({ at: 'person', body: { probation_end_date: end.toString() }, method: 'put' }),
  open: () => ({ at: 'person/correct-probation', body: { probation_end_date: null, reason } }),
  resign: (days = '0') => ({
    at: 'person/separate',
    body: { type: 'resigned', last_working_date: end.add({ days: Number(days) }).toString(), reason },
  }),
  rehire: (days = '0') => ({
    at: 'person/rehire',
    body: {
      joining_date: end.add({ days: Number(days) }).toString(),
      department_id: department.id,
      entity_id: entity.id,
    },
  }),
};

async function act(name: string, [who = '', verb = '', ...words]: string[]): Promise<number> {
  const { at, body, method = 'post' } = acts[verb]?.(...words) ?? { at: '', body: {} };
  const { id, user_id } = personOf(name);
  const client = await as(who === name ? user_id : staff[who as keyof typeof staff].user_id);
  if (at === 'reviews') return (await client.post('/api/probation-reviews', { employee_id: id, ...body })).status;
  const record = at.startsWith('review') ? `probation-reviews/${(await reviewOf(name))?.id}` : `employees/${id}`;
  const answer = await client[method](`/api/${record}${at.replace(/^(review|person)/, '')}`, body);
  return answer.status;
}

/** The scheduled jobs of a day. */
async function pass(days: number): Promise<void> {
  await clock.goTo(endsIn + days);
  const ctx = { deps, now: await databaseNow(deps.db) };
  await applyDueJobChanges(ctx);
  await startJoiners(ctx);
  await endLeavers(ctx);
  await openDueReviews(ctx);
  await remindOfEndings(ctx);
}

const labels = () => ({
  ...Object.fromEntries(Object.entries(staff).map(([label, { user_id }]) => [user_id, label])),
  ...Object.fromEntries([...people].map(([label, { user_id }]) => [user_id, label])),
});
const short = (word: string) => word.replace('probation_', '');
const lastNotified = new Map<string, number>();

type Notification = { id: number; user_id: number; event: string; email: string };

/** The notifications since the previous row, with a star if a mail about it arrived. */
async function notifications(name: string): Promise<string> {
  await mail.deliver(deps, await databaseNow(deps.db));
  const arrived = new Set(mail.received.flatMap(({ to }) => to));
  const { rows } = await owner.query<Notification>(
    `select n.id::int, n.user_id::int, n.event,
            (select u.email from notification_deliveries d join users u on u.id = d.user_id
             where d.notification_id = n.id and d.channel = 'email' and d.status = 'sent') as email
     from notifications n
     left join probation_reviews v on n.subject_type = 'probation_review' and v.id = n.subject_id
     left join employees e on n.subject_type = 'employee' and e.id = n.subject_id
     where n.id > $1 and (coalesce(v.employee_id, e.id) = $2 or (n.subject_type = 'account' and n.user_id = $3))`,
    [lastNotified.get(name) ?? 0, personOf(name).id, personOf(name).user_id],
  );
  lastNotified.set(name, Math.max(lastNotified.get(name) ?? 0, ...rows.map(({ id }) => id)));
  const names: Record<number, string> = labels();
  return rows
    .map(({ user_id, event, email }) => `${names[user_id]}:${short(event)}${arrived.has(email) ? '*' : ''}`)
    .toSorted()
    .join(' ');
}

/** The tasks of all people that are about one person. */
async function waits(name: string): Promise<string> {
  const { id } = personOf(name);
  const found: string[] = [];
  for (const [label, user] of [...Object.entries(staff), [name, personOf(name)] as const]) {
    const client = await as(user.user_id);
    const { status, body } = await client.get('/api/actionable-items?per_page=100');
    if (status !== 200) continue;
    for (const item of body.data as { kind: string; employee: { id: number } | null }[])
      if (item.employee?.id === id) found.push(`${label}:${short(item.kind)}`);
  }
  return found.toSorted().join(' ');
}

async function letters(name: string): Promise<string> {
  const review = await reviewOf(name);
  if (!review) return '';
  const hr = await as(staff.hr.user_id);
  const found: string[] = [];
  for (const kind of ['confirmation', 'extension', 'termination', 'review_record']) {
    const answer = await hr.get(`/api/probation-reviews/${review.id}/letter?kind=${kind}`);
    if (answer.status === 200 && answer.bytes.subarray(0, 5).toString() === '%PDF-') found.push(kind);
  }
  return found.join(' ');
}

/** The end of a probation that started again on a day after the first one ended. */
const again = (days: number) => lastDay(end.add({ days }), 3);

/** An end of probation, counted from the first one: `+2m`, `+75d+3m`, or days. */
function fromEnd(day: string | null): string {
  if (day === null) return 'open';
  const date = Temporal.PlainDate.from(day);
  if (again(75).equals(date)) return '+75d+3m';
  const months = [0, 1, 2].find((count) => lastDay(today, 3 + count).equals(date));
  return months === undefined ? `+${end.until(date, { largestUnit: 'days' }).days}d` : `+${months}m`;
}

async function state(name: string): Promise<string> {
  const person = await one<{ employment_lifecycle: string; activity_status: string; end: string | null }>(
    `select employment_lifecycle, activity_status, probation_end_date::text as end from employees where id = $1`,
    personOf(name).id,
  );
  if (!person) throw new Error(`${name} is gone`);
  const { status = '–' } = (await reviewOf(name)) ?? {};
  return `${person.employment_lifecycle} ${person.activity_status} ${fromEnd(person.end)} ${status}`;
}

test(
  'ten people from the day they are hired to the end of their probation and beyond',
  { timeout: 600_000 },
  async () => {
    for (const row of lives) {
      const [day = '', name = '', words = ''] = row.split(' | ');
      await pass(day === 'start' ? -endsIn : Number(day));
      const [who, verb, ...rest] = words.split(' ');
      if (verb === 'hire') await hire(name);
      else if (who !== 'clock') {
        const status = await act(name, [who ?? '', verb ?? '', ...rest]);
        expect([row, status]).toEqual([row, rest.includes('refused') ? 422 : verb === 'create' ? 201 : 200]);
      }
      const seen = [await state(name), await waits(name), await notifications(name), await letters(name)];
      const isIn = (await signsIn(personOf(name))) ? 'in' : 'out';
      const came = [day, name, words, ...seen, isIn].join(' | ');
      expect(came).toBe(row);
    }
  },
);
