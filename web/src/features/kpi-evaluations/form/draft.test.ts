import type { KpiEvaluation } from '@tenure/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../../api/api-error.ts';
import { evaluation, evaluationItem, measuredItem, unwritten } from '../../../testing/evaluations.ts';
import { createDraft } from './draft.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const written = (fields: Partial<KpiEvaluation>, score: number | null = null, comment: string | null = null) =>
  evaluation({
    items: [evaluationItem({ ...unwritten, self_score: score, self_comment: comment }), measuredItem(unwritten)],
    ...fields,
  });
const stale = (revision: number) => new ApiError(422, { message: 'Changed.', revision, status: 'self_assessment' });

function open(replies: (KpiEvaluation | ApiError)[], reread: KpiEvaluation = evaluation(), sign: '.' | ',' = '.') {
  const sent: unknown[] = [];
  const send = (body: unknown) => {
    sent.push(body);
    const reply = replies.shift() ?? evaluation();
    return reply instanceof ApiError ? Promise.reject(reply) : Promise.resolve(reply);
  };
  const draft = createDraft(evaluation(), { send, reread: () => Promise.resolve(reread), sign });
  return { draft, sent };
}

test('a change is sent shortly after the last key, with its revision', async () => {
  const { draft, sent } = open([written({ revision: 2 }, 4)]);
  draft.change({ 'item.11.score': '3' });
  await vi.advanceTimersByTimeAsync(500);
  draft.change({ 'item.11.score': '4' });
  await vi.advanceTimersByTimeAsync(500);
  expect(sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(400);
  expect(sent).toEqual([{ items: [{ id: 11, self_score: 4 }], revision: 1 }]);
  expect(draft.read()).toMatchObject({ phase: 'saved', base: { revision: 2 } });
});

test("numbers are parsed in the user's format, empty text clears, and a non-applicable item is sent as such", async () => {
  const { draft, sent } = open([], undefined, ',');
  draft.change({ 'item.12.actual_value': '1.250,5', self_comment: ' ', 'item.11.applies': 'no' });
  await draft.flush();
  expect(sent).toEqual([
    {
      items: [
        { id: 11, not_applicable: true },
        { id: 12, self_actual_value: 1250.5 },
      ],
      revision: 1,
    },
  ]);
});

test('input during a save is kept and sent with the new revision, one request at a time', async () => {
  let answer: (saved: KpiEvaluation) => void = () => {};
  const sent: unknown[] = [];
  const send = (body: unknown) => {
    sent.push(body);
    return new Promise<KpiEvaluation>((resolve) => {
      answer = resolve;
    });
  };
  const draft = createDraft(evaluation(), { send, reread: () => Promise.resolve(evaluation()), sign: '.' });
  draft.change({ self_comment: 'One' });
  await vi.advanceTimersByTimeAsync(900);
  draft.change({ self_comment: 'One and two ' });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(sent).toHaveLength(1);
  answer(evaluation({ revision: 2, self_comment: 'One' }));
  await vi.advanceTimersByTimeAsync(900);
  expect(sent[1]).toEqual({ self_comment: 'One and two', revision: 2 });
  expect(draft.read().values['self_comment']).toBe('One and two ');
});

test("a change in another tab is merged, and the user's own change is sent again", async () => {
  const theirs = written({ revision: 5, self_comment: 'From the other tab' });
  const { draft, sent } = open([stale(5), { ...theirs, revision: 6 }], theirs);
  draft.change({ 'item.11.score': '2' });
  await draft.flush();
  expect(sent[1]).toEqual({ items: [{ id: 11, self_score: 2 }], revision: 5 });
  expect(draft.read().values).toMatchObject({ self_comment: 'From the other tab', 'item.11.score': '2' });
});

test('after overlapping changes, no request is sent until the user chooses', async () => {
  const theirs = written({ revision: 5 }, 5);
  const { draft, sent } = open([stale(5), written({ revision: 6 }, 2)], theirs);
  draft.change({ 'item.11.score': '2' });
  expect(await draft.flush()).toBe(false);
  expect(draft.read().conflict?.differences).toEqual([{ name: 'item.11.score', mine: '2', theirs: '5' }]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toHaveLength(1);
  draft.resolve({ 'item.11.score': '2' });
  await vi.advanceTimersByTimeAsync(10);
  expect(sent[1]).toEqual({ items: [{ id: 11, self_score: 2 }], revision: 5 });
});

test('if the evaluation moved on, the unsaved edits are kept beside it and not sent again', async () => {
  const gone = evaluation({ revision: 7, status: 'manager_review', allowed_actions: [] });
  const { draft, sent } = open([stale(7)], gone);
  draft.change({ self_comment: 'Too late' });
  expect(await draft.flush()).toBe(false);
  expect(draft.read()).toMatchObject({ base: { side: undefined }, unsavable: { self_comment: 'Too late' } });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toHaveLength(1);
});

test('a request without an answer is retried later', async () => {
  const { draft, sent } = open([new ApiError(0, { message: '' }), evaluation({ revision: 2, self_comment: 'Kept' })]);
  draft.change({ self_comment: 'Kept' });
  expect(await draft.flush()).toBe(false);
  expect(draft.read().phase).toBe('failed');
  await vi.advanceTimersByTimeAsync(16_000);
  expect(sent).toHaveLength(2);
  expect(draft.read().phase).toBe('saved');
});

test('a refused field is named with its item', async () => {
  const errors = { 'items.0.self_actual_value': ['The item 1 actual value field must be a number.'] };
  const { draft } = open([new ApiError(422, { message: 'No.', errors })]);
  draft.change({ 'item.12.actual_value': 'many' });
  expect(await draft.flush()).toBe(false);
  expect(Object.keys(draft.read().errors)).toEqual(['item.12.actual_value']);
  draft.change({ 'item.12.actual_value': '9' });
  expect(draft.read().errors).toEqual({});
});

test('a refetched version replaces a saved draft, and waits for an unsaved one', () => {
  const { draft } = open([]);
  draft.newer(written({ revision: 2 }, 3));
  expect(draft.read().values['item.11.score']).toBe('3');
  draft.change({ 'item.11.score': '4' });
  draft.newer(written({ revision: 3 }, 1));
  expect(draft.read()).toMatchObject({ values: { 'item.11.score': '4' }, base: { revision: 2 } });
});

test('a draft of an ended session is unsaved again; one of another step is only shown', () => {
  const io = {
    send: () => Promise.resolve(evaluation()),
    reread: () => Promise.resolve(evaluation()),
    sign: '.',
  } as const;
  const { draft } = open([]);
  draft.change({ self_comment: 'Before the end' });
  const { base, values } = draft.read();
  expect(createDraft(evaluation(), io, { base, values }).isDirty()).toBe(true);
  const later = createDraft(evaluation({ status: 'manager_review', allowed_actions: [] }), io, { base, values });
  expect(later.isDirty()).toBe(false);
  expect(later.read().unsavable).toEqual({ self_comment: 'Before the end' });
});
