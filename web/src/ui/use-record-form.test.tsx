import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { createQueryClient } from '../api/client.ts';
import { sessionQuery } from '../api/session.tsx';
import { signedInAs } from '../testing/service.ts';
import { removeDrafts, storeDrafts } from './drafts.ts';
import { useRecordForm, type Version } from './use-record-form.ts';
import type { Texts } from './versions.ts';

const before = { name: 'North', code: 'N', note: '' };
const refusal = (status: number, fields: object = {}) => new ApiError(status, { message: 'No.', ...fields });
const stale = (revision: number) => refusal(422, { revision });

type Replies = {
  replies?: (Version | Error)[];
  /** The versions that are read after a concurrent change, in order. */
  versions?: (Version | Error)[];
};

/** A form for a record of three texts; `stays` keeps it open after a save. */
function Form({ send, reread, onSaved, stays }: Calls & { stays: boolean }) {
  const { form, error, isPending, isDirty, isKept, differences, save, resolve, backToForm } = useRecordForm<Version>({
    draft: 'places.4',
    start: { texts: before, revision: 1 },
    send,
    reread,
    onSaved,
    ...(stays && { goOn: (saved) => saved }),
  });
  return (
    <>
      {Object.keys(before).map((name) => (
        <label key={name}>
          {name}
          <input {...form.getInputProps(name)} />
          <span>{form.errors[name]}</span>
        </label>
      ))}
      <output>{[isPending && 'sending', isDirty && 'changed', isKept && 'kept'].filter(Boolean).join(' ')}</output>
      {error && <p role="alert">{`refused ${error.status}`}</p>}
      <ul>
        {differences.map(({ name, mine, theirs }) => (
          <li key={name}>{`${name}: ${mine} or ${theirs}`}</li>
        ))}
      </ul>
      <button onClick={save}>Save</button>
      <button onClick={() => resolve(Object.fromEntries(differences.map((one) => [one.name, one.theirs])))}>
        Take theirs
      </button>
      <button onClick={() => resolve(Object.fromEntries(differences.map((one) => [one.name, one.mine])))}>
        Take mine
      </button>
      <button onClick={backToForm}>Back</button>
    </>
  );
}

type Calls = {
  send: (changed: Texts, revision: number | undefined) => Promise<Version>;
  reread: () => Promise<Version>;
  onSaved: (saved: Version, changed: Texts) => void;
};

function open({ replies = [], versions = [] }: Replies = {}, stays = false) {
  const sent: [Texts, number | undefined][] = [];
  const next = (list: (Version | Error)[]) => {
    const answer = list.shift() ?? new Error('Nothing is expected here');
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  const calls: Calls = {
    send: (changed, revision) => {
      sent.push([changed, revision]);
      return next(replies);
    },
    reread: () => next(versions),
    onSaved: vi.fn<Calls['onSaved']>(),
  };
  const queries = createQueryClient(
    () => {},
    () => {},
  );
  queries.setQueryData(sessionQuery.queryKey, (signedInAs([]).body as { data: never }).data);
  const shown = render(
    <QueryClientProvider client={queries}>
      <Form {...calls} stays={stays} />
    </QueryClientProvider>,
  );
  return { ...calls, ...shown, sent };
}

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(new RegExp(`^${name}`));
const type = (name: string, value: string) => fireEvent.change(field(name), { target: { value } });
const click = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const version = (texts: Texts, revision: number): Version => ({ texts: { ...before, ...texts }, revision });

test('only changes are sent, with the initial revision', async () => {
  const { sent, onSaved } = open({ replies: [version({ name: 'South' }, 2)] });
  type('name', 'South');
  type('code', ' N ');
  expect(screen.getByRole('status').textContent).toBe('changed');
  click('Save');
  await waitFor(() => expect(onSaved).toHaveBeenCalledWith(version({ name: 'South' }, 2), { name: 'South' }));
  expect(sent).toEqual([[{ name: 'South' }, 1]]);
});

test('a form that stays continues from the saved version', async () => {
  const { sent } = open({ replies: [version({ name: 'South' }, 2), version({ name: 'North' }, 3)] }, true);
  type('name', 'South');
  click('Save');
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe(''));
  type('name', 'North');
  click('Save');
  await waitFor(() =>
    expect(sent).toEqual([
      [{ name: 'South' }, 1],
      [{ name: 'North' }, 2],
    ]),
  );
});

test('a refused field shows its message and gets the focus; the next attempt clears the message', async () => {
  const errors = { code: ['The code is taken.'] };
  const { onSaved } = open({ replies: [refusal(422, { errors }), version({}, 2)] });
  type('name', 'South');
  type('code', 'S');
  click('Save');
  await screen.findByText('The code is taken.');
  await waitFor(() => expect(document.activeElement).toBe(field('code')));
  expect(field('name').value).toBe('South');
  type('code', 'S2');
  expect(screen.queryByText('The code is taken.')).toBeNull();
  click('Save');
  await waitFor(() => expect(onSaved).toHaveBeenCalledOnce());
  expect(screen.queryByRole('alert')).toBeNull();
});

test('non-overlapping changes are sent again with the newer revision', async () => {
  const { sent, onSaved } = open({
    replies: [stale(4), version({ name: 'South', note: 'Theirs' }, 5)],
    versions: [version({ note: 'Theirs' }, 4)],
  });
  type('name', 'South');
  click('Save');
  await waitFor(() => expect(onSaved).toHaveBeenCalledOnce());
  expect(sent).toEqual([
    [{ name: 'South' }, 1],
    [{ name: 'South' }, 4],
  ]);
  expect(field('note').value).toBe('Theirs');
});

const meeting = (): Replies => ({
  replies: [stale(4), version({}, 5)],
  versions: [version({ name: 'East', note: 'Theirs' }, 4)],
});

test.each([
  ['Take theirs', [{ code: 'S' }, 4]],
  ['Take mine', [{ name: 'South', code: 'S' }, 4]],
])('a conflict on one field: %s', async (choice, expected) => {
  const { sent } = open(meeting());
  type('name', 'South');
  type('code', 'S');
  click('Save');
  await screen.findByText('name: South or East');
  expect(sent).toHaveLength(1);
  click(choice);
  await waitFor(() => expect(sent.at(-1)).toEqual(expected));
  expect(screen.queryByRole('listitem')).toBeNull();
});

test('cancelling the conflict keeps the input and sends no request', async () => {
  const { sent } = open(meeting());
  type('name', 'South');
  click('Save');
  await screen.findByText('name: South or East');
  click('Back');
  expect(screen.queryByRole('listitem')).toBeNull();
  expect([field('name').value, field('note').value]).toEqual(['South', '']);
  expect(sent).toHaveLength(1);
});

test('a third version during the merge: fields that it reverted are not changed again', async () => {
  const { sent, onSaved } = open({
    replies: [stale(4), stale(6), version({ code: 'S' }, 7)],
    versions: [version({ name: 'East' }, 4), version({ name: 'North' }, 6)],
  });
  type('code', 'S');
  click('Save');
  await waitFor(() => expect(onSaved).toHaveBeenCalledOnce());
  expect(sent).toEqual([
    [{ code: 'S' }, 1],
    [{ code: 'S' }, 4],
    [{ code: 'S' }, 6],
  ]);
  expect(field('name').value).toBe('North');
});

test('if the newer version cannot be read, an error is shown and the input stays', async () => {
  open({ replies: [stale(4)], versions: [refusal(503)] });
  type('name', 'South');
  click('Save');
  expect((await screen.findByRole('alert')).textContent).toBe('refused 503');
  expect(screen.getByRole('status').textContent).toBe('changed');
  expect(field('name').value).toBe('South');
});

test('the input survives the end of the session, for the same user only', async () => {
  const first = open();
  type('name', 'South');
  storeDrafts(7);
  first.unmount();
  const { sent } = open({ replies: [version({ name: 'South' }, 2)] });
  expect(field('name').value).toBe('South');
  expect(screen.getByRole('status').textContent).toBe('changed kept');
  click('Save');
  await waitFor(() => expect(sent).toEqual([[{ name: 'South' }, 1]]));
});

test.each([
  ['another person signs in', () => removeDrafts(8)],
  ['half a day went by', () => void vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 13 * 3_600_000)],
])('the input is dropped when %s', (_what, happens) => {
  const first = open();
  type('name', 'South');
  storeDrafts(7);
  first.unmount();
  happens();
  open();
  expect(field('name').value).toBe('North');
  vi.restoreAllMocks();
});

test('an unchanged form leaves no draft', () => {
  const first = open();
  storeDrafts(7);
  first.unmount();
  open();
  expect(screen.getByRole('status').textContent).toBe('');
});
