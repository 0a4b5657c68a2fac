import type { OrgNode } from '@tenure/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { complete } from '../../testing/people.ts';
import { stubElementSizes } from '../../testing/element-sizes.ts';
import { itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

beforeEach(() => stubElementSizes());

const person = (id: number, name: string, children_count = 0, children: OrgNode[] = []): OrgNode => ({
  id,
  type: 'employee',
  name,
  job_title: 'Buyer',
  department: { id: 4, name: 'Purchasing' },
  entity: null,
  profile_picture_url: null,
  parent_id: null,
  children_count,
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

const top = [person(1, 'Astrid Stone', 3, [person(23, 'Omar Diaz', 2), person(24, 'Bea Long'), person(25, 'Cy Moss')])];
const team = [person(57, 'Lena Park'), person(58, 'Bo Reed')];
const all = ['employees.view', 'entities.view', 'departments.view'];

type Query = { by?: string; root?: string; person?: string };
type Answer = { nodes?: OrgNode[]; people?: OrgNode[]; path?: number[]; has_more?: boolean } | { status: number };

function service(answers: (query: Query) => Answer = usual, permissions: readonly string[] = all) {
  return serve({
    'GET /api/me': signedInAs(permissions),
    'GET /api/employees': listOf([complete]),
    'GET /api/employees/57': itemOf(complete),
    'GET /api/entities': listOf([{ id: 1, name: 'Acme Foods Ltd' }]),
    'GET /api/org-chart': ({ url: { searchParams: query } }) => {
      const [by, root, who] = ['by', 'root_id', 'person_id'].map((name) => query.get(name) ?? undefined);
      const answer = answers({ ...(by && { by }), ...(root && { root }), ...(who && { person: who }) });
      if ('status' in answer) return { status: answer.status, body: { message: 'Server Error' } };
      return itemOf({ by, root_id: null, has_more: false, nodes: [], people: null, path: null, ...answer });
    },
  });
}

function usual({ by, root, person: who }: Query): Answer {
  if (by === 'department')
    return root ? { nodes: [], people: team, has_more: true } : { nodes: [department(4, 'Purchasing', 240)] };
  if (root === '23') return { nodes: team };
  return { nodes: top, ...(who === '57' && { path: [1, 23] }) };
}

const item = (name: string | RegExp) => screen.findByRole('treeitem', { name });
const names = () => screen.getAllByRole('treeitem').map((one) => one.querySelector('bdi')?.textContent);
const focused = () => document.activeElement?.querySelector('bdi')?.textContent;
const families = (served: ReturnType<typeof service>) =>
  served.to('GET /api/org-chart').flatMap(({ query }) => query.get('root_id') ?? []);

test("the outline opens with two levels and announces each node's level and position", async () => {
  const served = service();
  start('/org-chart?view=outline');
  const omar = await item(/Omar Diaz/);
  expect(names()).toEqual(['Astrid Stone', 'Omar Diaz', 'Bea Long', 'Cy Moss']);
  expect(
    ['aria-level', 'aria-posinset', 'aria-setsize', 'aria-expanded'].map((name) => omar.getAttribute(name)),
  ).toEqual(['2', '1', '3', 'false']);
  expect(omar.textContent).toContain('2 direct reports');
  expect((await item(/Bea Long/)).hasAttribute('aria-expanded')).toBe(false);
  expect(families(served)).toEqual([]);
});

test('the arrow keys move, expand and collapse; children load on expansion', async () => {
  const served = service();
  const { user } = start('/org-chart?view=outline');
  (await item(/Astrid Stone/)).focus();
  await user.keyboard('{ArrowDown}');
  await waitFor(() => expect(focused()).toBe('Omar Diaz'));
  await user.keyboard('{ArrowRight}');
  await item(/Lena Park/);
  expect(families(served)).toEqual(['23']);
  await user.keyboard('{ArrowRight}');
  await waitFor(() => expect(focused()).toBe('Lena Park'));
  await user.keyboard('{ArrowLeft}');
  await waitFor(() => expect(focused()).toBe('Omar Diaz'));
  await user.keyboard('{ArrowLeft}');
  await waitFor(() => expect(screen.queryByRole('treeitem', { name: /Lena Park/ })).toBeNull());
  await user.keyboard('{End}');
  await waitFor(() => expect(focused()).toBe('Cy Moss'));
  await user.keyboard('{Home}');
  await waitFor(() => expect(focused()).toBe('Astrid Stone'));
});

test('typing a name moves to it, and an asterisk expands all siblings', async () => {
  service();
  const { user } = start('/org-chart?view=outline');
  (await item(/Astrid Stone/)).focus();
  await user.keyboard('cy m');
  await waitFor(() => expect(focused()).toBe('Cy Moss'));
  await user.keyboard('*');
  await item(/Bo Reed/);
});

test('Enter shows the person beside the chart; closing returns the focus to the row', async () => {
  service();
  const { user, where } = start('/org-chart?view=outline&focus=57');
  const lena = await item(/Lena Park/);
  lena.focus();
  await user.keyboard('{Enter}');
  const drawer = await screen.findByRole('dialog', { name: 'Person' });
  await within(drawer).findByText('ACME-057');
  expect(where()).toBe('/org-chart?view=outline&focus=57&person=57');
  expect(within(drawer).getByRole('link', { name: 'Open profile' }).getAttribute('href')).toBe('/employees/57');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(where()).toBe('/org-chart?view=outline&focus=57'));
  await waitFor(() => expect(focused()).toBe('Lena Park'));
});

test("a manager out of scope is shown with the chart's data, without links", async () => {
  const served = service();
  served.replies['GET /api/employees/1'] = { status: 404, body: { message: 'Not found.' } };
  start('/org-chart?view=outline&person=1');
  const drawer = await screen.findByRole('dialog', { name: 'Person' });
  await within(drawer).findByText('You don’t have access to more details.');
  expect(within(drawer).getByText('Astrid Stone')).toBeDefined();
  expect(within(drawer).queryByRole('link')).toBeNull();
});

test('the person in the address is found: their ancestors are expanded and they are highlighted', async () => {
  const served = service();
  start('/org-chart?view=outline&focus=57');
  const lena = await item(/Lena Park/);
  expect(lena.getAttribute('aria-selected')).toBe('true');
  expect(lena.getAttribute('tabindex')).toBe('0');
  expect(families(served)).toEqual(['23']);
});

test('a person outside the chart is reported, with a link to the whole chart', async () => {
  service();
  const { user, where } = start('/org-chart?view=outline&focus=99&entity_id=1');
  await screen.findByText(/isn’t in this chart/);
  await user.click(screen.getByRole('button', { name: 'Show whole chart' }));
  await waitFor(() => expect(where()).toBe('/org-chart?view=outline'));
});

test('"find me" moves to the user', async () => {
  service(({ person: who }) => (who === '12' ? { nodes: top, path: [1] } : { nodes: top }));
  const { user, where } = start('/org-chart?view=outline');
  await user.click(await screen.findByRole('button', { name: 'Find me' }));
  await waitFor(() => expect(where()).toBe('/org-chart?view=outline&focus=12'));
});

test('grouped by department, departments are below their company and show some of their people', async () => {
  service();
  const { user } = start('/org-chart?view=outline&by=department');
  const purchasing = await item(/Purchasing/);
  expect(names()).toEqual(['Acme Foods Ltd', 'Purchasing']);
  expect(purchasing.textContent).toContain('240 people');
  purchasing.focus();
  await user.keyboard('{ArrowRight}');
  await item(/Lena Park/);
  expect((await item(/Purchasing/)).textContent).toContain('more not shown');
});

test('mode, view and company are in the address', async () => {
  const served = service();
  const { user, where } = start('/org-chart?view=outline');
  await user.click(await screen.findByRole('button', { name: 'By department' }));
  await waitFor(() => expect(where()).toBe('/org-chart?view=outline&by=department'));
  await user.click(screen.getByRole('combobox', { name: 'All companies' }));
  await user.click(await screen.findByRole('option', { name: 'Acme Foods Ltd', hidden: true }));
  await waitFor(() => expect(where()).toBe('/org-chart?view=outline&by=department&entity_id=1'));
  expect(served.to('GET /api/org-chart').at(-1)?.query.get('entity_id')).toBe('1');
});

test('a branch that failed to load shows an error in place and can be retried', async () => {
  let broken = true;
  service(({ root }) => (root && broken ? { status: 422 } : usual({ ...(root && { root }) })));
  const { user } = start('/org-chart?view=outline');
  const omar = await item(/Omar Diaz/);
  omar.focus();
  await user.keyboard('{ArrowRight}');
  await within(omar).findByText('This couldn’t be loaded. Try again');
  broken = false;
  await user.keyboard('{Enter}');
  expect((await item(/Lena Park/)).getAttribute('aria-level')).toBe('3');
});

test.each([
  ['may add people is led to it', [...all, 'employees.create'], '', '/employees/new'],
  ['cannot add people sees why', all, '', undefined],
  ['asks for another company sees why', [...all, 'employees.create'], '&entity_id=1', undefined],
])('in an empty chart, a user who %s', async (_, permissions, filter, path) => {
  service(() => ({ nodes: [] }), permissions);
  start(`/org-chart?view=outline${filter}`);
  await screen.findByText('No one to show');
  expect(screen.queryByRole('link', { name: 'Add employee' })?.getAttribute('href')).toBe(path);
  expect(screen.queryByText(/don’t have access to any active/) === null).toBe(path !== undefined);
});

test('an empty chart, refusal and failure each have their own state', async () => {
  const served = service(() => ({ nodes: [] }));
  start('/org-chart?view=outline');
  await screen.findByText('No one to show');
  served.replies['GET /api/org-chart'] = { status: 403, body: { message: 'This action is unauthorized.' } };
  start('/org-chart?view=outline&entity_id=2');
  await screen.findByRole('heading', { level: 1, name: 'You don’t have access to this page' });
  served.replies['GET /api/org-chart'] = { status: 500, body: { message: 'Server Error', request_id: 'r-42' } };
  start('/org-chart?view=outline&entity_id=3');
  expect(await screen.findByText(/logged the error as r-42/)).toBeDefined();
});

test('a user who may not list companies gets no company filter', async () => {
  service(usual, ['employees.view']);
  start('/org-chart?view=outline');
  await item(/Omar Diaz/);
  expect(screen.getByRole('combobox', { name: 'Find a person' })).toBeDefined();
  expect(screen.queryByRole('combobox', { name: 'All companies' })).toBeNull();
});

test('a phone starts with the outline', async () => {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: true,
    media: query,
    addEventListener() {},
    removeEventListener() {},
  }));
  service();
  start('/org-chart');
  expect(await screen.findByRole('tree', { name: 'Org chart' })).toBeDefined();
});

test('the print view has the whole expanded chart', async () => {
  service();
  start('/org-chart?view=outline&focus=57');
  await item(/Lena Park/);
  window.dispatchEvent(new Event('beforeprint'));
  const texts = [...document.querySelectorAll('svg text')].map(({ textContent }) => textContent);
  for (const name of ['Astrid Stone', 'Omar Diaz', 'Lena Park', 'Cy Moss']) expect(texts).toContain(name);
  window.dispatchEvent(new Event('afterprint'));
  expect(document.querySelectorAll('svg text')).toHaveLength(0);
});

test('everything collapses to the top level', async () => {
  service();
  const { user } = start('/org-chart?view=outline&focus=57');
  await item(/Lena Park/);
  await user.click(screen.getByRole('button', { name: 'More chart actions' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Collapse all' }));
  await waitFor(() => expect(names()).toEqual(['Astrid Stone']));
});

test('a picture that the browser cannot draw is said, with what to do', async () => {
  service();
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  const { user } = start('/org-chart');
  await user.click(await screen.findByRole('button', { name: 'More chart actions' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Download as PNG' }));
  expect(
    await screen.findByText('The picture couldn’t be created. Collapse some branches, or download as SVG.'),
  ).toBeDefined();
});
