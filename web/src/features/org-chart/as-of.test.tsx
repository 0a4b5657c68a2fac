import type { OrgNode } from '@tenure/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { stubElementSizes } from '../../testing/element-sizes.ts';
import { complete } from '../../testing/people.ts';
import { itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

beforeEach(() => stubElementSizes());

const person = (id: number, name: string, children: OrgNode[] = []): OrgNode => ({
  id,
  type: 'employee',
  name,
  job_title: 'Buyer',
  department: { id: 4, name: 'Purchasing' },
  entity: null,
  profile_picture_url: null,
  parent_id: null,
  children_count: children.length,
  people_count: null,
  children,
});

const service = () =>
  serve({
    'GET /api/me': signedInAs(['employees.view', 'entities.view', 'departments.view']),
    'GET /api/employees': listOf([complete]),
    'GET /api/employees/57': itemOf(complete),
    'GET /api/entities': listOf([]),
    'GET /api/org-chart': ({ url: { searchParams: query } }) => {
      const nodes = query.has('as_of')
        ? [person(57, 'Lena Park')]
        : [person(1, 'Astrid Stone', [person(57, 'Lena Park')])];
      return itemOf({ by: 'manager', root_id: null, has_more: false, nodes, people: null, path: null });
    },
  });

test('the chart as of a day asks for the lines of that day, and leads back to today', async () => {
  const served = service();
  const { user, where } = start('/org-chart?view=outline&as_of=2020-02-01');
  const banner = (await screen.findByText('Org chart as of 1 February 2020')).closest('output') as HTMLElement;
  await screen.findByRole('treeitem', { name: /Lena Park/ });
  expect(screen.queryByRole('treeitem', { name: /Astrid Stone/ })).toBeNull();
  expect(served.to('GET /api/org-chart').every(({ query }) => query.get('as_of') === '2020-02-01')).toBe(true);
  expect(screen.getByRole('link', { name: '1 person' }).getAttribute('href')).toBe('/employees?as_of=2020-02-01');
  await user.click(within(banner).getByRole('button', { name: 'Back to today' }));
  await waitFor(() => expect(where()).toBe('/org-chart?view=outline'));
  expect(await screen.findByRole('treeitem', { name: /Astrid Stone/ })).toBeTruthy();
});

test('a person of the chart opens as of that day', async () => {
  const served = service();
  start('/org-chart?view=outline&as_of=2020-02-01&person=57');
  const drawer = within(await screen.findByRole('dialog', { name: 'Person' }));
  expect((await drawer.findByRole('link', { name: /profile/i })).getAttribute('href')).toBe(
    '/employees/57?as_of=2020-02-01',
  );
  expect(served.to('GET /api/employees/57').at(-1)?.query.get('as_of')).toBe('2020-02-01');
});

test('a button begins with today', async () => {
  service();
  const { user, where } = start('/org-chart?view=outline');
  await user.click(await screen.findByRole('button', { name: 'As of…' }));
  await waitFor(() => expect(where()).toMatch(/as_of=\d{4}-\d{2}-\d{2}$/));
  expect(await screen.findByText(/^Org chart as of/)).toBeTruthy();
});
