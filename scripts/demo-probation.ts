import { probationSteps } from '@tenure/contract';
import type { Endpoint, ProbationOutcome } from '@tenure/contract';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Account } from '../server/src/access/actor.ts';
import { loadRights } from '../server/src/access/rights.ts';
import type { DB } from '../server/src/db/schema.ts';
import { openReviews } from '../server/src/features/probation-reviews/open.ts';
import { stepOf } from '../server/src/features/probation-reviews/step.ts';
import type { ReviewRecord } from '../server/src/features/probation-reviews/step.ts';
import type { ServiceCtx } from '../server/src/http/context.ts';
import { acknowledge, approve, revert } from '../server/src/features/probation-reviews/steps/decide.ts';
import { cancel, sendBack } from '../server/src/features/probation-reviews/steps/hr.ts';
import { recordAcknowledgement } from '../server/src/features/probation-reviews/steps/record-acknowledgement.ts';
import { submit } from '../server/src/features/probation-reviews/steps/review.ts';
import type { Deps } from '../server/src/http/context.ts';
import { drawing } from './demo-drawing.ts';

/** Probation reviews for the demo in every state, each created by the steps that people would take. */

type Db = Transaction<DB>;
type Person = { id: number; user_id: number | null; name: string };
/** One review in progress; every step is taken by the person it is for. */
type Stage = {
  submit: (recommendation: ProbationOutcome, how?: 'typed' | 'drawn') => Promise<void>;
  sendBack: () => Promise<void>;
  approve: (words: string) => Promise<void>;
  acknowledge: () => Promise<void>;
  /** For a person without an account, by the reviewer. */
  recordAcknowledgement: () => Promise<void>;
  cancel: () => Promise<void>;
  revert: (end: string) => Promise<void>;
  /** The next review of the same person. */
  next: () => Promise<void>;
  loseReviewer: () => Promise<void>;
};
/** The end of the probation, in days from today; the steps taken, and how many days ago they began. */
type Story = { end: number | null; ago: number; play: (stage: Stage) => Promise<void> };

const untouched = () => Promise.resolve();
const inDays = (days: number) => Temporal.Now.plainDateISO('UTC').add({ days }).toString();

const stories: readonly Story[] = [
  { end: 12, ago: 8, play: untouched },
  { end: 10, ago: 7, play: (stage) => stage.submit('confirm').then(stage.sendBack) },
  { end: 9, ago: 5, play: (stage) => stage.submit('confirm') },
  { end: -6, ago: 20, play: untouched },
  { end: null, ago: 0, play: untouched },
  { end: 14, ago: 4, play: (stage) => stage.loseReviewer() },
  {
    end: -2,
    ago: 9,
    play: (stage) =>
      stage
        .submit('confirm', 'drawn')
        .then(() => stage.approve('Welcome for good.'))
        .then(stage.acknowledge),
  },
  {
    end: -12,
    ago: 30,
    play: (stage) =>
      stage
        .submit('extend')
        .then(() => stage.approve('One more month to finish the training.'))
        .then(stage.next),
  },
  { end: 3, ago: 3, play: (stage) => stage.submit('terminate').then(() => stage.approve('Agreed with both sides.')) },
  { end: 15, ago: 2, play: (stage) => stage.cancel() },
  {
    end: 8,
    ago: 6,
    play: (stage) =>
      stage
        .submit('confirm')
        .then(() => stage.approve('Fine.'))
        .then(() => stage.revert(inDays(25)))
        .then(stage.next),
  },
  { end: 4, ago: 6, play: (stage) => stage.submit('extend', 'drawn') },
  { end: 6, ago: 4, play: (stage) => stage.submit('confirm').then(() => stage.approve('A good start.')) },
];

/** For people without an account: one decision to discuss, and one acknowledged on paper. */
const storiesByHand: readonly Story[] = [
  {
    end: -1,
    ago: 3,
    play: (stage) => stage.submit('confirm').then(() => stage.approve('Welcome for good.')),
  },
  {
    end: -3,
    ago: 0,
    play: (stage) =>
      stage
        .submit('confirm')
        .then(() => stage.approve('A good start.'))
        .then(stage.recordAcknowledgement),
  },
];

const request = { id: 'demo', ip: '127.0.0.1', user_agent: 'demo', url: '/', language: 'en' } as const;

async function doingAs(db: Db, deps: Deps, userId: number): Promise<ServiceCtx> {
  const { rows } = await sql<Account>`
    select u.id as user_id, e.id as employee_id, coalesce(e.name, u.email) as name, u.email, u.must_change_password,
           u.locale, u.last_login_at, e.picture_key, 0 as session_id
    from users u left join employees e on e.user_id = u.id where u.id = ${userId}`.execute(db);
  return { db, deps, request, actor: { ...(await loadRights(db, userId)), ...(rows[0] as Account) } };
}

const signatureOf = (name: string, how: 'typed' | 'drawn' = 'typed') =>
  how === 'typed' ? { method: how, typed_name: name } : { method: how, image: drawing(name) };

const words: Record<ProbationOutcome, { performance_rating: number; strengths: string; comments: string }> = {
  confirm: {
    performance_rating: 4,
    strengths: 'Asks early, learns fast, is liked by customers.',
    comments: 'Works on her own since the second month. I recommend to confirm.',
  },
  extend: {
    performance_rating: 3,
    strengths: 'Careful and reliable.',
    comments: 'The training took longer than planned. One more month will show whether it fits.',
  },
  terminate: {
    performance_rating: 1,
    strengths: 'Always on time.',
    comments: 'The tasks and the person do not fit each other, we both agree.',
  },
};

type Scene = { db: Db; deps: Deps; hr: ServiceCtx; admin: ServiceCtx; person: Person };

async function latestOf({ db, person }: Scene) {
  return db
    .selectFrom('probation_reviews')
    .select(['id', 'reviewer_id'])
    .where('employee_id', '=', person.id)
    .orderBy('sequence', 'desc')
    .executeTakeFirstOrThrow();
}

async function reviewerOf(scene: Scene): Promise<ServiceCtx> {
  const { reviewer_id } = await latestOf(scene);
  const { user_id } = await scene.db
    .selectFrom('employees')
    .select('user_id')
    .where('id', '=', reviewer_id)
    .where('user_id', 'is not', null)
    .$narrowType<{ user_id: number }>()
    .executeTakeFirstOrThrow();
  return doingAs(scene.db, scene.deps, user_id);
}

/** The person's latest review, locked and checked as for an endpoint's step. */
async function held(scene: Scene, doing: ServiceCtx, endpoint: Endpoint): Promise<ReviewRecord> {
  const { find, allow } = stepOf(endpoint);
  const visiting = { db: scene.db, actor: doing.actor, params: { id: (await latestOf(scene)).id } };
  const row = await find(visiting);
  allow(visiting, row);
  return row;
}

async function submitReview(scene: Scene, recommendation: keyof typeof words, how: Parameters<Stage['submit']>[1]) {
  const reviewer = await reviewerOf(scene);
  await submit(reviewer, await held(scene, reviewer, probationSteps.submit), {
    ...words[recommendation],
    recommendation,
    ...(recommendation === 'extend' && { extension_months: 1 }),
    signature: signatureOf(reviewer.actor.name, how),
  });
}

/** The reviewer uploads a scan of the signed sheet. */
async function recordOnPaper(scene: Scene): Promise<void> {
  const { files } = scene.deps;
  const reviewer = await reviewerOf(scene);
  const row = await held(scene, reviewer, probationSteps.recordAcknowledgement);
  const scan = Buffer.from(drawing(scene.person.name), 'base64');
  const file = { ...(await files.receive([scan], { maxBytes: scan.length })), file_name: 'signed-record.png' };
  await recordAcknowledgement({ ...reviewer, file }, row, {
    talked_on: row.today,
    comment: 'I would like to learn to drive a forklift.',
  });
}

function stageOf(scene: Scene): Stage {
  const { db, hr, admin, person } = scene;
  return {
    submit: (recommendation, how) => submitReview(scene, recommendation, how),
    sendBack: async () =>
      sendBack(hr, await held(scene, hr, probationSteps.sendBack), {
        reason: 'Please say more about the goals of the first three months.',
      }),
    approve: async (hr_comments) =>
      approve(hr, await held(scene, hr, probationSteps.approve), {
        hr_comments,
        signature: signatureOf(hr.actor.name),
      }),
    acknowledge: async () => {
      const doing = await doingAs(db, scene.deps, person.user_id ?? 0);
      const signature = signatureOf(person.name, 'drawn');
      await acknowledge(doing, await held(scene, doing, probationSteps.acknowledge), {
        comment: 'Thank you!',
        signature,
      });
    },
    recordAcknowledgement: () => recordOnPaper(scene),
    cancel: async () =>
      cancel(hr, await held(scene, hr, probationSteps.cancel), { reason: 'On parental leave; a new date follows.' }),
    revert: async (probation_end_date) =>
      revert(admin, await held(scene, admin, probationSteps.revert), {
        probation_end_date,
        reason: 'The decision was meant for someone else.',
      }),
    next: async () => void (await openReviews({ db, actor: null }, [{ employee_id: person.id }])),
    loseReviewer: async () =>
      void (await sql`
        update probation_reviews set reviewer_id = null, reviewer_missing_since = now()
        where employee_id = ${person.id}`.execute(db)),
  };
}

/** Moves the steps into the past, a few hours apart. */
async function moveBack(db: Db, personId: number, ago: number): Promise<void> {
  const days = sql`make_interval(days => ${ago}::int)`;
  await sql`
    update probation_review_activity a set at = a.at - ${days} + make_interval(hours => n.nth::int)
    from (select id, row_number() over (order by id) as nth from probation_review_activity
          where review_id in (select id from probation_reviews where employee_id = ${personId})) as n
    where n.id = a.id`.execute(db);
  await sql`
    update probation_signatures set signed_at = signed_at - ${days}
    where review_id in (select id from probation_reviews where employee_id = ${personId})`.execute(db);
  await sql`
    update probation_reviews set created_at = created_at - ${days}, status_changed_at = status_changed_at - ${days},
      submitted_at = submitted_at - ${days}, decided_at = decided_at - ${days}
    where employee_id = ${personId}`.execute(db);
}

const castIn = (parts: readonly Story[], people: readonly Person[]) =>
  parts.flatMap((story, index) => {
    const person = people[index];
    return person ? [[person, story] as const] : [];
  });

/** People on probation whose reviewer is not the HR user who decides here. */
async function peopleOnProbation(db: Db, hr: ServiceCtx): Promise<(readonly [Person, Story])[]> {
  const { rows } = await sql<Person>`
    select e.id, e.user_id, e.name from employees e join departments d on d.id = e.department_id
    where e.employment_lifecycle = 'probationary' and e.activity_status = 'active'
      and ${hr.actor.employee_id} not in (e.id, coalesce(e.reporting_manager_id, 0), coalesce(d.manager_id, 0))
    order by d.code <> 'SAL', e.id`.execute(db);
  const [signingIn, byHand] = [rows.filter((one) => one.user_id !== null), rows.filter((one) => one.user_id === null)];
  return [...castIn(stories, signingIn), ...castIn(storiesByHand, byHand)];
}

/** Adds the probation reviews of the demo. */
export async function insertDemoProbation(db: Db, deps: Deps, { hr: { user_id } }: { hr: { user_id: number } }) {
  const hr = await doingAs(db, deps, user_id);
  const { id: adminId } = await db
    .selectFrom('users')
    .select('id')
    .where('is_admin', '=', true)
    .executeTakeFirstOrThrow();
  const admin = await doingAs(db, deps, adminId);
  for (const [person, { end, ago, play }] of await peopleOnProbation(db, hr)) {
    const day = end === null ? null : inDays(end);
    await db
      .updateTable('employees')
      .set({
        probation_end_date: day,
        probation_start_date: day && Temporal.PlainDate.from(day).add({ days: 1 }).subtract({ months: 3 }).toString(),
        joining_date: Temporal.Now.plainDateISO('UTC')
          .add({ days: (end ?? 0) + 1 })
          .subtract({ months: 3 })
          .toString(),
      })
      .where('id', '=', person.id)
      .execute();
    if (day === null) continue;
    await openReviews({ db, actor: null }, [{ employee_id: person.id }]);
    await play(stageOf({ db, deps, hr, admin, person }));
    await moveBack(db, person.id, ago);
  }
}
