import { probationReviews, type ProbationReview } from '@tenure/contract';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { load } from '../../../api/query.ts';
import { submittedReview } from '../../../testing/probation.ts';
import { itemOf, listOf, serve, signedInAs } from '../../../testing/service.ts';
import { start } from '../../../testing/start.tsx';

const path = '/api/probation-reviews/24';
const changed = 'This record has changed in the meantime. Check the latest version and try again.';

/** Opens the review as HR; later requests return `now`. */
const open = (search: string, replies: Parameters<typeof serve>[0]) => {
  const shown: { now: ProbationReview } = { now: submittedReview() };
  const service = serve({
    'GET /api/me': signedInAs(['probation-review.view'], { name: 'Hana Ito' }),
    [`GET ${path}`]: () => itemOf(shown.now),
    'GET /api/probation-reviews': listOf([]),
    ...replies,
  });
  return { service, shown, ...start(`/probation/24${search}`) };
};
const late = {
  status: 422,
  body: { message: changed, errors: { status: [changed] }, status: 'sent_back', revision: 4 },
};

test('a decision on an outdated review is refused in the dialog, and the input stays', async () => {
  const { shown, user } = open('?do=approve', { [`POST ${path}/approve`]: late });
  const dialog = within(await screen.findByRole('dialog', { name: 'Decide on Lena Park’s probation' }));
  await user.type(dialog.getByLabelText(/^HR comment/), 'Welcome.');
  await user.click(dialog.getByRole('checkbox'));
  shown.now = submittedReview({ status: 'sent_back', revision: 4, allowed_actions: [] });
  await user.click(dialog.getByRole('button', { name: 'Sign and confirm' }));
  await dialog.findByText(changed);
  await screen.findByText('Sent back', { selector: 'span' });
  dialog.getByText(/^This review changed while you were writing/);
  expect(dialog.getByLabelText<HTMLTextAreaElement>(/^HR comment/).value).toBe('Welcome.');
  expect(dialog.queryByRole('button', { name: 'Sign and confirm' })).toBeNull();
  await user.click(dialog.getByRole('button', { name: 'Show latest version' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('the signature covers the review as it was when the dialog opened, even after a refetch', async () => {
  const { service, shown, user, queries } = open('', { [`POST ${path}/approve`]: late });
  await user.click(await screen.findByRole('button', { name: 'Decide' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Decide on Lena Park’s probation' }));
  await user.type(dialog.getByLabelText(/^HR comment/), 'Welcome.');
  shown.now = submittedReview({ revision: 5, comments: 'Written anew.' });
  await queries.invalidateQueries({ queryKey: load(probationReviews.get, { params: { id: 24 } }).queryKey });
  await screen.findByText('Written anew.');
  await user.click(dialog.getByRole('checkbox'));
  await user.click(dialog.getByRole('button', { name: 'Sign and confirm' }));
  await user.click(await dialog.findByRole('button', { name: 'Show latest version' }));
  expect(service.to(`POST ${path}/approve`)[0]?.body).toMatchObject({ revision: 3 });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Decide' }));
  const again = within(await screen.findByRole('dialog', { name: 'Decide on Lena Park’s probation' }));
  expect(again.getByLabelText<HTMLTextAreaElement>(/^HR comment/).value).toBe('Welcome.');
  expect(again.getByRole<HTMLInputElement>('checkbox').checked).toBe(false);
  await user.click(again.getByRole('checkbox'));
  await user.click(again.getByRole('button', { name: 'Sign and confirm' }));
  await waitFor(() =>
    expect(service.to(`POST ${path}/approve`)[1]?.body).toMatchObject({ hr_comments: 'Welcome.', revision: 5 }),
  );
});

test('a reason survives the end of a session', async () => {
  const { user, service } = open('?do=send-back', { [`POST ${path}/send-back`]: { status: 401, body: {} } });
  const dialog = within(await screen.findByRole('dialog', { name: 'Send back to the reviewer' }));
  await user.type(dialog.getByLabelText(/^Reason/), 'Say more about customers.');
  await user.click(dialog.getByRole('button', { name: 'Send back' }));
  await screen.findByLabelText('Work email');
  expect(service.to(`POST ${path}/send-back`)).toHaveLength(1);
  cleanup();
  open('?do=send-back', {});
  const again = within(await screen.findByRole('dialog', { name: 'Send back to the reviewer' }));
  expect(again.getByLabelText<HTMLTextAreaElement>(/^Reason/).value).toBe('Say more about customers.');
});
