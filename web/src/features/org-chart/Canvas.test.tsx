import type { OrgNode } from '@tenure/contract';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { complete } from '../../testing/people.ts';
import { stubElementSizes } from '../../testing/element-sizes.ts';
import { itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

const person = (id: number, name: string, below = 0, children: OrgNode[] = []): OrgNode => ({
  id,
  type: 'employee',
  name,
  job_title: 'Buyer',
  department: { id: 4, name: 'Purchasing' },
  entity: null,
  profile_picture_url: null,
  parent_id: null,
  children_count: below,
  people_count: null,
  children,
});
const department = (id: number, name: string, people_count: number): OrgNode => ({
  ...person(id, name),
  type: 'department',
  job_title: null,
  department: null,
  entity: { id: 1, name: 'Acme Foods Ltd' },
  people_count,
});
const top = [person(1, 'Astrid Stone', 2, [person(23, 'Omar Diaz', 2), person(24, 'Bea Long')])];
const team = [person(57, 'Lena Park'), person(58, 'Bo Reed')];
let broken = false;

beforeEach(() => {
  broken = false;
  stubElementSizes();
  vi.stubGlobal(
    'DOMMatrixReadOnly',
    class {
      m22 = 1;
    },
  );
});

function open(address = '/org-chart?view=chart', replies: Parameters<typeof serve>[0] = {}) {
  const served = serve({
    'GET /api/me': signedInAs(['employees.view', 'entities.view', 'departments.view']),
    'GET /api/employees': listOf([complete]),
    'GET /api/employees/57': itemOf(complete),
    'GET /api/entities': listOf([{ id: 1, name: 'Acme Foods Ltd' }]),
    'GET /api/org-chart': ({ url: { searchParams: query } }) => {
      const root = query.get('root_id');
      if (root && broken) return { status: 422, body: { message: 'No.' } };
      const nodes = query.get('by') === 'department' ? [department(4, 'Purchasing', 2)] : root ? team : top;
      const path = query.get('person_id') === '57' ? [1, 23] : null;
      return itemOf({ by: query.get('by'), root_id: null, has_more: false, nodes, people: null, path });
    },
    ...replies,
  });
  return { served, ...start(address) };
}

const card = (name: string) => screen.findByRole('button', { name: new RegExp(`^${name}`) });
const focused = () => document.activeElement?.querySelector('bdi')?.textContent;

// React Flow reads the window of a press, which the test library's pointer lacks, so cards are clicked directly.

test('cards expand and collapse their children, which are loaded on expansion', async () => {
  const { served } = open();
  await card('Astrid Stone');
  expect(screen.queryByRole('button', { name: /^Lena Park/ })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Show below Omar Diaz: 2 direct reports' }));
  await card('Lena Park');
  expect(served.to('GET /api/org-chart').at(-1)?.query.get('root_id')).toBe('23');
  fireEvent.click(screen.getByRole('button', { name: 'Hide below Omar Diaz: 2 direct reports' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Lena Park/ })).toBeNull());
});

test('the arrow keys move between cards, and only one card is in the tab order', async () => {
  const { user } = open();
  const astrid = await card('Astrid Stone');
  expect(astrid.tabIndex).toBe(0);
  expect((await card('Omar Diaz')).tabIndex).toBe(-1);
  astrid.focus();
  await user.keyboard('{ArrowDown}');
  await waitFor(() => expect(focused()).toBe('Omar Diaz'));
  await user.keyboard('{ArrowRight}');
  await waitFor(() => expect(focused()).toBe('Bea Long'));
  expect((await card('Bea Long')).tabIndex).toBe(0);
  await user.keyboard('{ArrowLeft}{ArrowDown}');
  await card('Lena Park');
  await user.keyboard('{Home}');
  await waitFor(() => expect(focused()).toBe('Astrid Stone'));
});

test('a key with a modifier is left to the browser', async () => {
  open();
  (await card('Astrid Stone')).focus();
  expect(fireEvent.keyDown(document.activeElement as HTMLElement, { key: 'ArrowDown', ctrlKey: true })).toBe(true);
  expect(fireEvent.keyDown(document.activeElement as HTMLElement, { key: 'ArrowDown' })).toBe(false);
});

test('a card opens the details of its person beside the chart', async () => {
  const { where } = open();
  const omar = await card('Omar Diaz');
  expect(omar.textContent).toContain('Buyer');
  expect(omar.textContent).toContain('Purchasing');
  fireEvent.click(omar);
  await waitFor(() => expect(where()).toBe('/org-chart?view=chart&person=23'));
});

test('a branch that failed to load is retried at its card', async () => {
  broken = true;
  open();
  await card('Astrid Stone');
  fireEvent.click(screen.getByRole('button', { name: /Omar Diaz/, expanded: false }));
  await waitFor(() => expect(document.querySelector('[data-waits="failed"]')).not.toBeNull());
  broken = false;
  fireEvent.click(document.querySelector('[data-waits="failed"]')?.closest('button') as HTMLElement);
  expect(await card('Lena Park')).toBeDefined();
});

test('the person in the address is highlighted, with all ancestors expanded', async () => {
  open('/org-chart?view=chart&focus=57');
  const lena = await card('Lena Park');
  expect(lena.closest('[data-card]')?.getAttribute('data-found')).toBe('true');
  expect((await card('Omar Diaz')).closest('[data-card]')?.hasAttribute('data-found')).toBe(false);
  expect(document.querySelector('path[data-way]')).not.toBeNull();
});

test('a company groups its departments: its card expands and collapses them', async () => {
  open('/org-chart?view=chart&by=department');
  const company = await card('Acme Foods Ltd');
  expect((await card('Purchasing')).textContent).toContain('2 people');
  fireEvent.click(company);
  await waitFor(() => expect(screen.queryByText('Purchasing')).toBeNull());
  fireEvent.click(company);
  expect(await card('Purchasing')).toBeDefined();
});

test('the canvas has zoom buttons', async () => {
  open();
  await card('Astrid Stone');
  const scale = () =>
    /scale\(([\d.]+)\)/.exec(document.querySelector<HTMLElement>('.react-flow__viewport')?.style.transform ?? '')?.[1];
  await waitFor(() => expect(scale()).toBe('0.95'));
  const zoomIn = screen.getByRole<HTMLButtonElement>('button', { name: 'Zoom in' });
  // React Flow can move a moment after it has rendered
  await waitFor(() => expect(zoomIn.disabled).toBe(false));
  fireEvent.click(zoomIn);
  await waitFor(() => expect(Number(scale())).toBeGreaterThan(1));
  fireEvent.click(screen.getByRole('button', { name: 'Fit to screen' }));
  await waitFor(() => expect(scale()).toBe('1'));
});
