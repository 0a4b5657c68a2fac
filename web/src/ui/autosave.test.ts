import { expect, test } from 'vitest';
import { createAutosave } from './autosave.ts';

type Row = { revision: number; isOpen: boolean; text: string };

const draftOf = (row: Row) =>
  createAutosave<Row, object, 'writer'>(
    row,
    {
      sideOf: ({ isOpen }) => (isOpen ? 'writer' : undefined),
      textsOf: ({ text }) => ({ text }),
      bodyOf: (values) => values,
    },
    { send: () => Promise.reject(new Error('Nothing is to be sent')), reread: () => Promise.resolve(row) },
  );

test('a change to a read-only record is ignored, and there is nothing to save', async () => {
  const draft = draftOf({ revision: 1, isOpen: true, text: 'Before' });
  draft.newer({ revision: 2, isOpen: false, text: 'Before' });
  draft.change({ text: 'Taken back too late' });
  expect(draft.isDirty()).toBe(false);
  expect(await draft.flush()).toBe(true);
  draft.stop();
});

test('a change can be computed from the present values', () => {
  const draft = draftOf({ revision: 1, isOpen: true, text: 'Before' });
  draft.change({ text: 'Now' });
  draft.change(({ text }) => ({ text: `${text} and then` }));
  expect(draft.read().values).toEqual({ text: 'Now and then' });
  draft.stop();
});
