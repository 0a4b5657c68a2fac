import { probationStatuses } from '@tenure/contract';
import type { ProbationStatus } from '@tenure/contract';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Actor } from '../../access/actor.ts';
import { loadRights } from '../../access/rights.ts';
import { startApp } from '../../testing/app.ts';
import { sorted } from '../../testing/evaluations.ts';
import { probationMaker } from '../../testing/make-probation.ts';
import { factColumns, factTables } from './capacities.ts';
import type { ReviewFacts } from './capacities.ts';
import { assessmentSeen, sightOf } from './visibility.ts';

/** Who sees what of a review in each state: on its page, in lists and in files. */

const app = await startApp();
const { as, make, deps, owner } = app;
const probation = probationMaker(app);

const acme = await make.entity();
const head = await make.employee({ entity_id: acme.id, roles: ['Manager'] });
const buying = await make.department({ entity_id: acme.id, manager_id: head.id });
const subject = await probation.person({ department_id: buying.id });
const reviewer = await make.employee({ roles: ['TeamLead'] });
const hr = await make.employee({ roles: [{ role: 'HR', entity_ids: [acme.id] }] });
const hrElsewhere = await make.employee({ roles: [{ role: 'HR', entity_ids: [reviewer.entity_id] }] });
const colleague = await make.employee({ department_id: buying.id });
const admin = await make.admin();

// every column has a value in every state, so that only the rules can hide it
const everything = {
  performance_rating: 4,
  criteria: JSON.stringify([{ name: 'Knowledge', weight: 10_000, rating: 4, comment: 'Solid.' }]),
  criteria_score: 4,
  strengths: 'Negotiation',
  improvements: 'Planning',
  comments: 'Ready.',
  recommendation: 'extend',
  extension_months: 2,
  send_back_reason: 'Say more about it.',
  cancel_reason: 'No longer needed.',
};
const assessmentFields = Object.keys(everything).slice(0, 8);
const resultFields = ['outcome', 'effective_date', 'hr_comments', 'employee_comment', 'decided_by', 'revert_reason'];
const innerFields = ['send_back_reason', 'cancel_reason'];

const reviewIn = async (status: ProbationStatus) => {
  await owner.query('delete from probation_signatures');
  await owner.query('delete from probation_reviews where employee_id = $1', [subject.id]);
  return probation.review({ employee: subject, reviewer, status, ...everything });
};

const actorOf = async ({ id, user_id }: { id: number | null; user_id: number }) =>
  ({ ...(await loadRights(deps.db, user_id)), user_id, employee_id: id }) as Actor;

const people = {
  subject,
  reviewer,
  hr,
  head,
  colleague,
  hrElsewhere,
  admin: { id: null, ...admin },
} as const;
type Name = keyof typeof people;

/** The parts that a reader sees; null for readers who do not see the review at all. */
function expected(name: Name, status: ProbationStatus): string[] | null {
  if (name === 'colleague' || name === 'hrElsewhere') return null;
  const shown = status === 'approved' || status === 'reverted';
  if (name === 'subject') return shown ? ['assessment', 'result'] : null;
  if (name === 'head') return shown ? ['assessment', 'result'] : [];
  const handedIn = shown || status === 'submitted' || status === 'sent_back';
  if (name === 'reviewer') return ['assessment', 'result', 'inner'];
  return [...(handedIn ? ['assessment'] : []), 'result', 'inner'];
}

const partsOf = (data: Record<string, unknown>) => [
  ...(assessmentFields.every((field) => field in data) ? ['assessment'] : []),
  ...(resultFields.every((field) => field in data) ? ['result'] : []),
  ...(innerFields.every((field) => field in data) ? ['inner'] : []),
];
const noneOf = (data: Record<string, unknown>, parts: readonly string[]) => {
  const hidden = [
    ...(parts.includes('assessment') ? [] : assessmentFields),
    ...(parts.includes('result') ? [] : resultFields),
    ...(parts.includes('inner') ? [] : innerFields),
  ];
  return hidden.filter((field) => field in data);
};

describe.each(probationStatuses)('a review that is %s', (status) => {
  test('shows to each reader what is theirs to read, on its page and in its list', async () => {
    const { id } = await reviewIn(status);
    for (const name of Object.keys(people) as Name[]) {
      const client = await as(people[name].user_id);
      const wanted = expected(name, status);
      const page = await client.get(`/api/probation-reviews/${id}`);
      const list = await client.get(`/api/probation-reviews?employee_id=${subject.id}`);
      expect([name, page.status]).toEqual([name, wanted ? 200 : 404]);
      expect([name, list.body.data.map((row: { id: number }) => row.id)]).toEqual([name, wanted ? [id] : []]);
      expect(list.body.meta.total).toBe(wanted ? 1 : 0);
      if (!wanted) continue;
      expect([name, partsOf(page.body.data)]).toEqual([name, wanted]);
      expect([name, noneOf(page.body.data, wanted)]).toEqual([name, []]);
      expect('recommendation' in list.body.data[0]).toBe(wanted.includes('assessment'));
      expect('outcome' in list.body.data[0]).toBe(wanted.includes('result'));
      expect(page.body.data.signatures === undefined).toBe(wanted.length === 0);
    }
  });

  test('is found by its recommendation by those who read it, and exported no wider', async () => {
    const { id } = await reviewIn(status);
    for (const name of Object.keys(people) as Name[]) {
      const client = await as(people[name].user_id);
      const { body } = await client.get('/api/probation-reviews?recommendation=extend');
      const seen = expected(name, status)?.includes('assessment') ?? false;
      expect([name, body.data.map((row: { id: number }) => row.id)]).toEqual([name, seen ? [id] : []]);
    }
    const file = await (await as(hr.user_id)).get('/api/probation-reviews/export?columns=status,recommendation');
    const cell = expected('hr', status)?.includes('assessment') ? 'extend' : '';
    expect(file.body).toContain(`"${status}","${cell}"`);
  });

  test('is checked the same in SQL as in the program', async () => {
    const { id } = await reviewIn(status);
    // one's own review is not even in scope before it is decided
    for (const name of (Object.keys(people) as Name[]).filter((one) => expected(one, status))) {
      const actor = await actorOf(people[name]);
      const { rows } = await sql<ReviewFacts & { seen: boolean | null }>`
        select ${factColumns}, ${assessmentSeen(actor)} as seen from ${factTables} where v.id = ${id}`.execute(deps.db);
      const row = rows[0] as ReviewFacts & { seen: boolean | null };
      expect([name, row.seen ?? false]).toEqual([name, sightOf(actor, row).assessment]);
    }
  });
});

test('the history keeps reasons and what was given up between reviewer and HR', async () => {
  const { id } = await reviewIn('approved');
  const line = `insert into probation_review_activity (review_id, actor_name, action, from_status, to_status, reason, round, snapshot)
                values ($1, 'Somebody', $2, 'submitted', $3, 'Because of that.', 1, '{"comments": "Earlier"}')`;
  await owner.query(line, [id, 'send-back', 'sent_back']);
  await owner.query(line, [id, 'revert', 'reverted']);
  const jobHistoryOf = async (name: Name) =>
    (await (await as(people[name].user_id)).get(`/api/probation-reviews/${id}/activity`)).body.data.map(
      (row: { action: string; reason: string | null; snapshot: object | null }) => [
        row.action,
        row.reason !== null,
        row.snapshot !== null,
      ],
    );
  const full = [
    ['revert', true, true],
    ['send-back', true, true],
  ];
  expect(await jobHistoryOf('reviewer')).toEqual(full);
  expect(await jobHistoryOf('hr')).toEqual(full);
  const outside = [
    ['revert', true, false],
    ['send-back', false, false],
  ];
  expect(await jobHistoryOf('subject')).toEqual(outside);
  expect(await jobHistoryOf('head')).toEqual(outside);
  const found = await (await as(subject.user_id)).get(`/api/probation-reviews/${id}/activity?search=because`);
  expect(found.body.meta.total).toBe(1);
  expect((await (await as(colleague.user_id)).get(`/api/probation-reviews/${id}/activity`)).status).toBe(404);
});

test('who may write or decide sees how often the probation was and may be extended', async () => {
  const { id } = await reviewIn('submitted');
  const of = async (name: Name) =>
    (await (await as(people[name].user_id)).get(`/api/probation-reviews/${id}`)).body.data.extensions;
  for (const name of ['hr', 'reviewer', 'admin'] as const) expect(await of(name)).toEqual({ count: 0, maximum: 1 });
  expect(await of('head')).toBeUndefined();
});

test('the own review is missing from the own list also for HR of everything', async () => {
  const boss = await probation.person({ roles: ['HR'] });
  const { id } = await probation.review({ employee: boss, status: 'submitted' });
  const client = await as(boss.user_id);
  expect((await client.get(`/api/probation-reviews/${id}`)).status).toBe(404);
  const { body } = await client.get('/api/probation-reviews?per_page=100');
  expect(body.data.map((row: { id: number }) => row.id)).not.toContain(id);
  expect(body.meta.total).toBe(body.data.length);
  expect(sorted(body.data.map((row: { employee_id: number }) => row.employee_id))).toContain(subject.id);
});
