import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { createAutosave, type AutosaveDraft } from './autosave.ts';

type Row = { revision: number; side?: 'writer' | 'reviewer'; text?: string; note?: string };

const opened: { stop: () => void }[] = [];
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  for (const draft of opened.splice(0)) draft.stop();
  vi.useRealTimers();
});

/** A draft of two texts; `answers` are the replies in order, `latest` is the stored version. */
function draftOf(
  answers: (Row | Error)[] = [],
  latest: () => Promise<Row> = () => Promise.reject(new Error('unread')),
) {
  const sent: unknown[] = [];
  const send = (body: object) => {
    sent.push(body);
    const answer = answers.shift() ?? new Error('Nothing is to be sent');
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  const open = (row: Row, kept?: AutosaveDraft<'writer' | 'reviewer'>) => {
    const draft = createAutosave<Row, object, 'writer' | 'reviewer'>(
      row,
      {
        sideOf: ({ side }) => side,
        textsOf: ({ text = '', note = '' }) => ({ text, note }),
        bodyOf: (values, changed) => Object.fromEntries(changed.map((name) => [name, values[name]?.trim()])),
      },
      { send, reread: latest },
      kept,
    );
    opened.push(draft);
    return draft;
  };
  return { sent, open, draft: open({ revision: 1, side: 'writer', text: 'Before' }) };
}

const refusal = (status: number, fields: object = {}) => new ApiError(status, { message: 'No.', ...fields });
const stale = (revision: number) => refusal(422, { revision });
const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1_000);

describe('changes', () => {
  test('a change to a read-only record is ignored, and there is nothing to save', async () => {
    const { draft, sent } = draftOf();
    draft.newer({ revision: 2, text: 'Before' });
    draft.change({ text: 'Taken back too late' });
    expect(draft.isDirty()).toBe(false);
    expect(await draft.flush()).toBe(true);
    expect(sent).toEqual([]);
  });

  test('a change can be computed from the present values', () => {
    const { draft } = draftOf();
    draft.change({ text: 'Now' });
    draft.change(({ text }) => ({ text: `${text} and then` }));
    expect(draft.read().values['text']).toBe('Now and then');
  });

  test.each([
    ['the saved text', 'Before'],
    ['the saved text with spaces around it', '  Before '],
  ])('%s is no change: no request is sent, and the form is unchanged', async (_what, text) => {
    const { draft, sent } = draftOf();
    draft.change({ text: 'Other' });
    draft.change({ text });
    await seconds(1);
    expect(sent).toEqual([]);
    expect(draft.read()).toMatchObject({ phase: 'still', savedAt: undefined });
  });

  test('a subscriber is called for each change until it unsubscribes', () => {
    const { draft } = draftOf();
    const heard = vi.fn<() => void>();
    const stop = draft.subscribe(heard);
    draft.change({ text: 'One' });
    expect(heard).toHaveBeenCalledTimes(1);
    stop();
    draft.change({ text: 'Two' });
    expect(heard).toHaveBeenCalledTimes(1);
  });

  test('an unmounted page sends no more requests', async () => {
    const { draft, sent } = draftOf();
    draft.change({ text: 'Now' });
    draft.stop();
    await seconds(60);
    expect(sent).toEqual([]);
  });
});

describe('answers', () => {
  test('if the service stores a text differently, typed text stays and untouched text is updated', async () => {
    const { draft, sent } = draftOf([{ revision: 2, side: 'writer', text: 'NOW', note: 'Added by the service' }]);
    draft.change({ text: 'now ' });
    await seconds(1);
    expect(sent).toEqual([{ text: 'now', revision: 1 }]);
    expect(draft.read()).toMatchObject({
      phase: 'saved',
      base: { revision: 2 },
      values: { text: 'now ', note: 'Added by the service' },
    });
    expect(draft.isDirty()).toBe(false);
  });

  test('after a save, returning to the first text is a change', async () => {
    const { draft, sent } = draftOf([
      { revision: 2, side: 'writer', text: 'Now' },
      { revision: 3, side: 'writer', text: 'Before' },
    ]);
    draft.change({ text: 'Now' });
    await seconds(1);
    draft.change({ text: 'Before' });
    await seconds(1);
    expect(sent).toEqual([
      { text: 'Now', revision: 1 },
      { text: 'Before', revision: 2 },
    ]);
  });

  test('flush continues until input typed during its request is saved too', async () => {
    const { draft, sent } = draftOf([
      { revision: 2, side: 'writer', text: 'One' },
      { revision: 3, side: 'writer', text: 'Two' },
    ]);
    draft.change({ text: 'One' });
    const flushed = draft.flush();
    draft.change({ text: 'Two' });
    expect(await flushed).toBe(true);
    expect(sent).toEqual([
      { text: 'One', revision: 1 },
      { text: 'Two', revision: 2 },
    ]);
  });

  test('a refetched version does not replace a change that is being sent', async () => {
    const { draft } = draftOf([{ revision: 2, side: 'writer', text: 'Now' }]);
    draft.change({ text: 'Now' });
    const flushed = draft.flush();
    draft.newer({ revision: 9, text: 'Closed meanwhile' });
    expect(draft.read().values['text']).toBe('Now');
    await flushed;
    expect(draft.read()).toMatchObject({ phase: 'saved', unsavable: undefined });
  });
});

describe('refusals', () => {
  test.each([
    { status: 0, again: true },
    { status: 429, again: true },
    { status: 500, again: true },
    { status: 503, again: true },
    { status: 403, again: false },
    { status: 404, again: false },
    { status: 422, again: false },
  ])('after status $status the request is repeated automatically: $again', async ({ status, again }) => {
    const { draft, sent } = draftOf([refusal(status), { revision: 2, side: 'writer', text: 'Now' }]);
    draft.change({ text: 'Now' });
    await seconds(1);
    expect(draft.read()).toMatchObject({ phase: 'failed', error: { status } });
    await seconds(20);
    expect(sent).toHaveLength(again ? 2 : 1);
    expect(draft.read()).toMatchObject(again ? { phase: 'saved', error: undefined } : { phase: 'failed' });
    expect(draft.read().values['text']).toBe('Now');
  });

  test('a message about a field disappears when that field changes; others stay', async () => {
    const errors = { text: ['Too long.'], note: ['Too short.'] };
    const { draft } = draftOf([refusal(422, { errors })]);
    draft.change({ text: 'Now', note: 'x' });
    await draft.flush();
    expect(draft.read().errors).toEqual({ text: 'Too long.', note: 'Too short.' });
    draft.change({ note: 'longer' });
    expect(draft.read().errors).toEqual({ text: 'Too long.' });
  });

  test('reverting a refused change leaves no unsaved change and no message', async () => {
    const { draft, sent } = draftOf([refusal(422, { errors: { text: ['Too long.'] } })]);
    draft.change({ text: 'Much too long' });
    await draft.flush();
    draft.change({ text: 'Before' });
    await seconds(1);
    expect(sent).toHaveLength(1);
    expect(draft.read()).toMatchObject({ phase: 'still', error: undefined, errors: {} });
  });

  test('if the newer version cannot be read, the change is kept and retried', async () => {
    const latest = vi.fn<() => Promise<Row>>().mockRejectedValueOnce(refusal(503));
    const { draft, sent } = draftOf([stale(4), stale(4), { revision: 5, side: 'writer', text: 'Mine' }], latest);
    latest.mockResolvedValue({ revision: 4, side: 'writer', text: 'Before', note: 'Theirs' });
    draft.change({ text: 'Mine' });
    expect(await draft.flush()).toBe(false);
    expect(draft.read()).toMatchObject({ phase: 'failed', error: { status: 503 }, values: { text: 'Mine' } });
    await seconds(20);
    expect(sent.at(-1)).toEqual({ text: 'Mine', revision: 4 });
    expect(draft.read()).toMatchObject({ phase: 'saved', error: undefined });
  });
});

describe('two versions', () => {
  const meeting = () => {
    const theirs: Row = { revision: 4, side: 'writer', text: 'Theirs', note: 'New note' };
    const both = draftOf([stale(4), { ...theirs, revision: 5, text: 'Mine' }], () => Promise.resolve(theirs));
    both.draft.change({ text: 'Mine' });
    return both;
  };

  test('a conflict stops all saving: no timer, navigation or further change sends a request', async () => {
    const { draft, sent } = meeting();
    expect(await draft.flush()).toBe(false);
    draft.change({ note: 'More' });
    expect(await draft.flush()).toBe(false);
    await seconds(60);
    expect(sent).toHaveLength(1);
    draft.newer({ revision: 8, side: 'writer', text: 'Even newer' });
    expect(draft.read()).toMatchObject({ base: { revision: 1 }, values: { text: 'Mine', note: 'More' } });
  });

  test('the chosen version is sent with the new revision, and non-overlapping changes are merged', async () => {
    const { draft, sent } = meeting();
    await draft.flush();
    draft.resolve({ text: 'Mine' });
    await seconds(0);
    expect(sent.at(-1)).toEqual({ text: 'Mine', revision: 4 });
    expect(draft.read()).toMatchObject({ phase: 'saved', values: { text: 'Mine', note: 'New note' } });
  });

  test('choosing the other version leaves no unsaved change', async () => {
    const { draft, sent } = meeting();
    await draft.flush();
    draft.resolve({ text: 'Theirs' });
    await seconds(1);
    expect(sent).toHaveLength(1);
    expect(draft.isDirty()).toBe(false);
    expect(draft.read().values['text']).toBe('Theirs');
  });

  test('back in the form the input is unchanged, and the next save asks again', async () => {
    const { draft, sent } = meeting();
    await draft.flush();
    draft.backToForm();
    expect(draft.read()).toMatchObject({ phase: 'failed', conflict: undefined, values: { text: 'Mine', note: '' } });
    expect(sent).toHaveLength(1);
    draft.resolve({ text: 'Theirs' });
    expect(draft.read().values['text']).toBe('Mine');
  });
});

describe('a step that ended', () => {
  test('edits for it are kept apart until they are discarded, and later ones are added', async () => {
    const { draft, sent } = draftOf();
    draft.change({ text: 'Typed by the writer' });
    draft.newer({ revision: 2, side: 'reviewer', text: 'Before' });
    expect(draft.read()).toMatchObject({ values: { text: 'Before' }, unsavable: { text: 'Typed by the writer' } });
    draft.change({ note: 'Typed by the reviewer' });
    draft.newer({ revision: 3, text: 'Before' });
    expect(draft.read().unsavable).toEqual({ text: 'Typed by the writer', note: 'Typed by the reviewer' });
    draft.discardUnsavable();
    expect(draft.read().unsavable).toBeUndefined();
    await seconds(20);
    expect(sent).toEqual([]);
  });

  test('a step that ends without edits loses nothing', () => {
    const { draft } = draftOf();
    draft.newer({ revision: 2, side: 'reviewer', text: 'Other' });
    expect(draft.read()).toMatchObject({ phase: 'still', values: { text: 'Other' }, unsavable: undefined });
  });
});

describe('the draft of an ended session', () => {
  const kept: AutosaveDraft<'writer'> = {
    base: { side: 'writer', texts: { text: 'Before', note: '' }, revision: 1 },
    values: { text: 'Kept', note: '' },
  };

  test('is saved with the revision it was typed for', async () => {
    const { open, sent } = draftOf([{ revision: 2, side: 'writer', text: 'Kept' }]);
    const draft = open({ revision: 1, side: 'writer', text: 'Before' }, kept);
    expect(draft.read().phase).toBe('unsaved');
    expect(await draft.flush()).toBe(true);
    expect(sent).toEqual([{ text: 'Kept', revision: 1 }]);
  });

  test.each([
    ['of another step', { revision: 5, side: 'reviewer', text: 'Later' } as const],
    ['that is closed', { revision: 5, text: 'Later' }],
  ])('is shown apart from a record %s', async (_what, row) => {
    const { open, sent } = draftOf();
    const draft = open(row, kept);
    expect(draft.read()).toMatchObject({ phase: 'still', unsavable: { text: 'Kept' } });
    expect(await draft.flush()).toBe(true);
    expect(sent).toEqual([]);
  });
});
