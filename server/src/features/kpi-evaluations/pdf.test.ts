import { extractText, getDocumentProxy } from 'unpdf';
import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import type { Client } from '../../testing/client.ts';
import { kpiMaker } from '../../testing/make-kpi.ts';

/** The PDF of an evaluation shows its reader what the page shows, and no more. */

const app = await startApp();
const { as, make, owner } = app;
const kpi = kpiMaker(app);

const acme = await make.entity({ name: 'Acme Foods Ltd', address: '1 Mill Road, Leeds' });
const head = await make.employee({ entity_id: acme.id, roles: ['Manager'] });
const buying = await make.department({ entity_id: acme.id, name: 'Purchasing', manager_id: head.id });
const boss = await make.employee({ entity_id: acme.id, roles: ['TeamLead'], first_name: 'Omar', last_name: 'Diaz' });
const jon = await make.employee({ department_id: buying.id, first_name: 'Jon', last_name: 'Reed' });
const other = await make.employee({ department_id: buying.id });
const hrPerson = await make.employee({ roles: ['HR'] });
const [own, reviewer, manager, hr, colleague] = (await Promise.all(
  [jon, boss, head, hrPerson, other].map(({ user_id }) => as(user_id)),
)) as [Client, Client, Client, Client, Client];

const url = ({ id }: { id: number }) => `/api/kpi-evaluations/${id}/pdf`;
async function printed(client: Client, evaluation: { id: number }, headers = {}): Promise<string> {
  const { status, bytes } = await client.get(url(evaluation), headers);
  expect(status).toBe(200);
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true });
  return text.replaceAll(/\s+/g, ' ');
}
const traces = async (id: number) => {
  const { rows } = await owner.query(
    `select actor_id from audit_log where action = 'kpi_evaluation.downloaded' and subject_id = $1 order by id`,
    [id],
  );
  return (rows as { actor_id: string }[]).map(({ actor_id }) => Number(actor_id));
};

const wrote = {
  self_comment: 'Saved ten thousand.',
  manager_comment: 'Agreed with reservations.',
} as const;
const evaluated = (status: string, fields: object = {}) =>
  kpi.evaluation({
    employee: jon,
    reviewer: boss,
    status: status as 'completed',
    self_comment: 'A good year.',
    manager_comment: 'A solid year.',
    strengths: 'Keeps calm.',
    hr_comment: 'Both sides agree.',
    answers: [wrote, {}, {}],
    ...fields,
  });

test('a result is printed with letterhead, figures, scores and all comments', async () => {
  const made = await evaluated('pending_acceptance');
  const reply = await own.get(url(made));
  expect(reply.headers['content-type']).toBe('application/pdf');
  expect(reply.headers['content-disposition']).toContain('Jon Reed');
  const text = await printed(own, made);
  for (const part of [
    'Acme Foods Ltd 1 Mill Road, Leeds Performance evaluation',
    'Jon Reed',
    '4.00 of 5 (80%), band B',
    'Saved ten thousand.',
    'Agreed with reservations.',
    'A solid year.',
    'Keeps calm.',
    'Both sides agree.',
    'Performance evaluation, Jon Reed',
  ])
    expect(text).toContain(part);
  expect(text.indexOf('80%')).toBeLessThan(text.indexOf('Saved ten thousand.'));
  expect(await printed(own, made, { 'accept-language': 'de' })).toContain('4,00 von 5 (80 %), Stufe B');
});

test('a measured item is printed with its target, what was reached on each side and what that achieves', async () => {
  const measured = { item_type: 'measured', cap_pct: 120 } as const;
  const template = await kpi.template({
    items: [
      { ...measured, name: 'Revenue', weight: 4_000, direction: 'higher_better', target_value: 100_000, unit: '€' },
      {
        ...measured,
        name: 'Complaints',
        weight: 3_000,
        direction: 'lower_better',
        target_value: 10,
        baseline_value: 30,
      },
      { ...measured, name: 'Certified', weight: 2_000, direction: 'boolean' },
      {
        ...measured,
        name: 'On time',
        weight: 1_000,
        direction: 'target',
        target_value: 95,
        tolerance_pct: 2,
        unit: '%',
      },
    ],
  });
  const made = await evaluated('completed', {
    template,
    answers: [
      { self_actual_value: 98_000, manager_actual_value: 92_000, manager_score: 3, final_score: 3 },
      {
        manager_actual_value: 12,
        final_actual_value: 10,
        manager_score: 3,
        final_score: 4,
        final_note: 'Two withdrawn',
      },
      { self_actual_value: 0, manager_actual_value: 1, manager_score: 5, final_score: 5 },
      { manager_actual_value: 90, manager_score: 3, final_score: 3 },
    ],
  });
  const text = await printed(own, made);
  for (const part of [
    'Target 100,000 €, higher is better, capped at 120%',
    'Actual value (self) 98,000 € (98% achieved)',
    'Actual value (manager) 92,000 € (92% achieved)',
    'Target 10, lower is better, baseline 30, capped at 120%',
    'Actual value (manager) 12',
    'Corrected value 10 (100% achieved)',
    'Actual value (self) No (0% achieved)',
    'Actual value (manager) Yes (100% achieved)',
    'Target 95%, closest to target is best, tolerance 2% Actual value (manager) 90% (94.74% achieved)',
  ])
    expect(text).toContain(part);
  expect(text).not.toContain('12 (');
  const german = await printed(own, made, { 'accept-language': 'de' });
  expect(german).toContain('Zielwert 100.000 €, mehr ist besser, Obergrenze 120 %');
  expect(german).toContain('Erreichter Wert (Beurteilung) 92.000 € (Zielerreichung 92 %)');
});

test('the answer is printed with its day, or that there was none', async () => {
  const answered = { responded_at: '2026-11-20T23:30:00Z' };
  const accepted = await evaluated('accepted', answered);
  expect(await printed(own, accepted)).toContain('Response Accepted on 20 November 2026');
  expect(await printed(own, await evaluated('disputed', answered))).toContain('Response Disputed on 20 November 2026');
  const deemed = await evaluated('accepted', { responded_at: null, acceptance_mode: 'deemed_hr' });
  expect(await printed(own, deemed)).toContain('Response Marked as accepted without a response');
  expect(await printed(own, await evaluated('pending_acceptance'))).not.toContain('Response');
});

test('the word of a score stays in one piece', async () => {
  const words = ['Unzureichend', 'Ausbaufähig', 'Gut', 'Hervorragend', 'Außergewöhnlich'];
  const template = await kpi.template({ scale_words: words });
  const text = await printed(own, await evaluated('completed', { template }), { 'accept-language': 'de' });
  for (const score of ['5 – Außergewöhnlich', '4 – Hervorragend']) expect(text).toContain(score);
});

test('who reads the evaluation of someone else leaves a trace, who reads the own one does not', async () => {
  const made = await evaluated('completed');
  for (const client of [own, hr, reviewer]) await printed(client, made);
  expect(await traces(made.id)).toEqual([hrPerson.user_id, boss.user_id]);
});

test('a draft is printed for who writes it only', async () => {
  const written = await evaluated('self_assessment');
  expect(await printed(own, written)).toContain('Saved ten thousand.');
  expect(await printed(own, written)).toContain('Draft.');
  for (const client of [reviewer, manager, hr]) {
    const text = await printed(client, written);
    expect(text).toContain('No result yet.');
    for (const hidden of ['Saved ten thousand.', 'A good year.', 'Draft.']) expect(text).not.toContain(hidden);
  }
  const reviewed = await evaluated('manager_review');
  expect(await printed(reviewer, reviewed)).toContain('Agreed with reservations.');
  for (const client of [own, manager]) {
    const text = await printed(client, reviewed);
    expect(text).toContain('Saved ten thousand.');
    for (const hidden of ['Agreed with reservations.', 'Keeps calm.', '80%']) expect(text).not.toContain(hidden);
  }
});

test('before the result is released only the reviewer and HR print the review, and only HR its comment', async () => {
  const made = await evaluated('hr_review');
  expect(await printed(hr, made)).toContain('Both sides agree.');
  const ofReviewer = await printed(reviewer, made);
  expect(ofReviewer).toContain('Agreed with reservations.');
  expect(ofReviewer).not.toContain('Both sides agree.');
  for (const client of [own, manager]) {
    const text = await printed(client, made);
    for (const hidden of ['Agreed with reservations.', 'Both sides agree.', '80%']) expect(text).not.toContain(hidden);
  }
});

test('evidence is named to those who see its step', async () => {
  const made = await evaluated('self_assessment');
  const body = { item_id: made.items[0]?.id, url: 'https://intranet.example/savings', note: 'The ledger' };
  expect((await own.post(`/api/kpi-evaluations/${made.id}/evidence`, body)).status).toBe(201);
  expect(await printed(own, made)).toContain('https://intranet.example/savings: The ledger');
  expect(await printed(hr, made)).not.toContain('intranet.example');
});

test('a person without access to the evaluation gets nothing, without a trace', async () => {
  const made = await evaluated('completed');
  expect((await colleague.get(url(made))).status).toBe(404);
  expect((await own.get(url({ id: 999_999 }))).status).toBe(404);
  expect(await traces(made.id)).toEqual([]);
});
