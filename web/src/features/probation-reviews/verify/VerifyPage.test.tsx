import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { managerSignature, submittedReview } from '../../../testing/probation.ts';
import { itemOf, listOf, serve, signedInAs } from '../../../testing/service.ts';
import { start } from '../../../testing/start.tsx';

const path = '/api/probation-reviews/24';
const checked = (fields: object = {}) => ({
  ...managerSignature(),
  matches: true,
  image_matches: null,
  differences: [],
  current_hash: 'a'.repeat(64),
  reference: 'AAAA-AAAA-AAAA',
  ...fields,
});

function open(matches: boolean, signatures: readonly ReturnType<typeof checked>[], address = '/probation/24/verify') {
  const served = serve({
    'GET /api/me': signedInAs(['probation-review.view']),
    [`GET ${path}`]: itemOf(submittedReview()),
    [`GET ${path}/verify`]: itemOf({ review_id: 24, checked_at: '2026-05-01T10:00:00.000Z', matches, signatures }),
    'GET /api/probation-reviews': listOf([]),
  });
  return { served, ...start(address) };
}

const state = async () =>
  (await screen.findByRole('heading', { level: 1, name: 'Signature verification' })).ownerDocument;

test('shows that a record matches its signatures, and links back to the review', async () => {
  open(true, [checked()]);
  await state();
  expect(screen.getByText('All signatures verified')).toBeDefined();
  expect(screen.getByText('The record matches what was signed (1 signature).')).toBeDefined();
  expect(screen.getByText('The record hasn’t changed since it was signed.')).toBeDefined();
  expect(screen.getByText('AAAA-AAAA-AAAA')).toBeDefined();
  expect(screen.queryByText(/^Current fingerprint/)).toBeNull();
  expect(screen.getByRole('link', { name: 'Lena Park’s probation' }).getAttribute('href')).toBe('/probation/24');
});

test('lists each difference once, labelled if possible, with both fingerprints', async () => {
  const differences = ['comments', 'criteria.0.rating', 'criteria.1.weight', 'something_new'];
  open(false, [checked({ matches: false, current_hash: 'b'.repeat(64), differences })]);
  await state();
  expect(screen.getByText('Verification failed')).toBeDefined();
  expect(screen.getByText('The record has changed since it was signed.')).toBeDefined();
  expect(screen.getByText('Changed fields: Overall assessment, Criteria, something_new')).toBeDefined();
  expect(screen.getByText('a'.repeat(64))).toBeDefined();
  expect(screen.getByText('b'.repeat(64))).toBeDefined();
});

test.each([
  [true, 'The signature image is unchanged.'],
  [false, 'The signature image has changed.'],
])('the picture matches: %s', async (image_matches, text) => {
  open(image_matches, [checked({ method: 'drawn', image_url: '/api/signatures/88', typed_name: null, image_matches })]);
  await state();
  expect(screen.getByText(text)).toBeDefined();
  expect(screen.getByRole('img', { name: 'Signature of Omar Diaz' })).toBeDefined();
});

test('invalid signatures are not compared, and prove nothing on their own', async () => {
  const voided = { valid: false, voided_at: '2026-04-22T09:00:00.000Z', matches: null, current_hash: null };
  open(true, [checked(voided)]);
  await state();
  expect(screen.getByText('No valid signatures')).toBeDefined();
  const item = within(screen.getAllByRole('listitem').find((one) => one.textContent?.includes('Omar')) as HTMLElement);
  expect(item.getByText('No longer valid, so it isn’t compared.')).toBeDefined();
});

test('a review without signatures shows that', async () => {
  open(true, []);
  await state();
  expect(screen.getByText('No signatures yet')).toBeDefined();
});

test('a refusal is shown, and a retry reads it together with the review', async () => {
  const { served, user } = open(true, [checked()]);
  served.replies[`GET ${path}/verify`] = { status: 500, body: { message: 'Server Error', request_id: 'r-7' } };
  await screen.findByText(/logged the error as r-7/);
  served.replies[`GET ${path}/verify`] = itemOf({
    review_id: 24,
    checked_at: '2026-05-01T10:00:00.000Z',
    matches: true,
    signatures: [checked()],
  });
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('All signatures verified')).toBeDefined();
});

test('an address without a number sends no request', async () => {
  const { served } = open(true, [], '/probation/x/verify');
  await screen.findByRole('heading', { level: 1, name: 'Page not found' });
  expect(served.asked.filter(({ path: asked }) => asked.startsWith('/api/probation-reviews'))).toEqual([]);
});
