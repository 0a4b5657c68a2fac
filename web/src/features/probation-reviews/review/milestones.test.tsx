import type { ProbationReview } from '@tenure/contract';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { dialogOf, fill } from '../../../testing/acts.ts';
import { probationReview, submittedReview } from '../../../testing/probation.ts';
import { itemOf, listOf, serve, signedInAs } from '../../../testing/service.ts';
import { start } from '../../../testing/start.tsx';

/** An interim review recommends and decides nothing. */

const path = '/api/probation-reviews/24';

const open = (shown: ProbationReview, search = '', replies: Parameters<typeof serve>[0] = {}) => {
  const service = serve({
    'GET /api/me': signedInAs(['probation-review.view', 'employees.view'], { name: 'Hana Ito' }),
    'GET /api/profile': itemOf({ user: { preferences: {} }, employee: null, roles: [], permissions: [] }),
    [`GET ${path}`]: itemOf(shown),
    'GET /api/probation-reviews': listOf([shown]),
    ...replies,
  });
  return { service, ...start(`/probation/24${search}`) };
};

test('its form has no recommendation and says when it is', async () => {
  open(probationReview({ milestone: 'day_30' }));
  await screen.findByText('After 30 days');
  await screen.findByLabelText(/^Overall assessment/);
  expect(screen.queryByText('Recommendation')).toBeNull();
  screen.getByText('Shared by HR');
});

test('HR shares it with a comment', async () => {
  const shown = submittedReview({ milestone: 'midpoint', recommendation: null, allowed_actions: ['share'] });
  const { service, user } = open(shown, '?do=share', { [`POST ${path}/share`]: itemOf(shown) });
  const dialog = await dialogOf('Share Lena Park’s review');
  fill(dialog.getByLabelText('Comment (optional)'), ' Keep it up. ');
  await user.click(dialog.getByRole('button', { name: 'Share review' }));
  await screen.findByText('Review shared.');
  expect(service.to(`POST ${path}/share`)[0]?.body).toEqual({ hr_comments: 'Keep it up.', revision: shown.revision });
});

test('a shared one says so and offers no letter but its record', async () => {
  open(
    submittedReview({
      milestone: 'midpoint',
      status: 'approved',
      recommendation: null,
      outcome: null,
      decided_at: '2026-04-22T09:00:00.000Z',
      decided_by: { user_id: 3, name: 'Hana Ito' },
      employee_acknowledged_at: null,
      allowed_actions: [],
    }),
  );
  await screen.findByRole('heading', { name: 'Shared with the employee' });
  screen.getByText('Shared');
  screen.getByText(/^Shared by Hana Ito on /);
  expect(screen.getAllByRole('link', { name: /^(Review record|.*letter)/i })).toHaveLength(1);
});

test('a paused one is read-only and says since when', async () => {
  open(probationReview({ paused_from: '2099-03-01', allowed_actions: ['update'] }));
  await screen.findByText(/^The probation is paused\./);
  expect(screen.queryByText(/^Read-only/)).toBeNull();
});
