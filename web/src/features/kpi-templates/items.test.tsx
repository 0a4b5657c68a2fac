import type { KpiTemplate } from '@tenure/contract';
import { act, renderHook, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { dialogOf, fill, pick } from '../../testing/acts.ts';
import { itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';
import { template, templateItem } from '../../testing/templates.ts';
import { useItemDrag } from './use-item-drag.ts';

const hr = ['kpi-template.view', 'kpi-template.create', 'kpi-template.update', 'entities.view'];
const path = '/api/kpi-templates/3';

beforeEach(() => sessionStorage.clear());

function open(
  stored: KpiTemplate = template(),
  replies: Parameters<typeof serve>[0] = {},
  address = '/kpi/templates/3',
) {
  const { items: _items, ...row } = stored;
  const served = serve({
    'GET /api/me': signedInAs(hr),
    'GET /api/entities': listOf([
      { id: 1, name: 'Acme Foods Ltd' },
      { id: 2, name: 'Borealis GmbH' },
    ]),
    'GET /api/kpi-templates': listOf([row]),
    [`GET ${path}`]: itemOf(stored),
    [`PUT ${path}`]: itemOf({ ...stored, revision: 2 }),
    ...replies,
  });
  const bodies = (call: string) => served.to(call).map(({ body }) => body as Record<string, unknown>);
  return { served, bodies, ...start(address) };
}

const refused = (errors: Record<string, string[]>, more: object = {}) => ({
  status: 422,
  body: { message: 'No.', errors, ...more },
});
const names = () =>
  screen.getAllByRole<HTMLInputElement>('textbox', { name: /^Name of Item/ }).map(({ value }) => value);

describe('items', () => {
  test('a measured item requires and sends only the fields of its direction', async () => {
    const { bodies, user } = open();
    await user.click(await screen.findByRole('button', { name: 'Details of Stock' }));
    const stock = within(screen.getByDisplayValue('Stock').closest('li') as HTMLElement);
    await user.click(stock.getByRole('button', { name: 'Measured' }));
    const direction = stock.getByRole('combobox', { name: 'Scoring direction' });
    await user.selectOptions(direction, 'Closest to target is best');
    fill(stock.getByLabelText('Unit'), ' days ');
    fill(stock.getByLabelText('Target'), '7.5');
    fill(stock.getByLabelText('Tolerance'), '10');
    await user.selectOptions(direction, 'Higher is better');
    expect(stock.queryByLabelText('Tolerance')).toBeNull();
    fill(stock.getByLabelText('Capped at'), '120');
    await user.click(stock.getByRole('switch', { name: 'Evidence required' }));
    await user.click(stock.getByRole('switch', { name: /^Reduce the target for part of the cycle/ }));
    expect(stock.getByText(/Leave it off for rates, averages and levels/)).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('Buyer was saved.');
    expect(bodies(`PUT ${path}`)[0]?.['items']).toMatchObject([
      { id: 11, item_type: 'rating' },
      {
        id: 12,
        item_type: 'measured',
        direction: 'higher_better',
        unit: 'days',
        target_value: 7.5,
        baseline_value: null,
        tolerance_pct: null,
        cap_pct: 120,
        evidence_required: true,
        prorate: true,
      },
    ]);
  });

  test('an item that is done or not has no target to reduce', async () => {
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Details of Stock' }));
    const stock = within(screen.getByDisplayValue('Stock').closest('li') as HTMLElement);
    await user.click(stock.getByRole('button', { name: 'Measured' }));
    await user.selectOptions(stock.getByRole('combobox', { name: 'Scoring direction' }), 'Done or not done');
    expect(stock.queryByRole('switch', { name: /^Reduce the target for part of the cycle/ })).toBeNull();
  });

  test('an error about the kind of an item is shown at its select', async () => {
    const { user } = open(template(), {
      [`PUT ${path}`]: refused({ 'items.1.item_type': ['Measured items need whole steps.'] }),
    });
    fill(await screen.findByDisplayValue('Stock'), 'Stocks');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Measured items need whole steps.')).toBeDefined();
    const stock = screen.getByDisplayValue('Stocks').closest('li') as HTMLElement;
    expect(within(stock).getByRole('alert').textContent).toBe('Measured items need whole steps.');
  });

  test('items do not move beyond the ends of the list, and fifty is the maximum', async () => {
    const items = Array.from({ length: 50 }, (_, index) => templateItem({ id: index + 1, name: `No. ${index + 1}` }));
    const { user } = open(template({ items }));
    const up = await screen.findByRole('button', { name: 'Move No. 1 up' });
    expect(up.getAttribute('aria-disabled')).toBe('true');
    await user.click(up);
    expect(names()[0]).toBe('No. 1');
    await user.click(screen.getByRole('button', { name: 'Actions for No. 1' }));
    expect(await screen.findByRole('menuitem', { name: 'Duplicate item' })).toHaveProperty('disabled', true);
  });
});

describe('dragging', () => {
  const event = (fields: object = {}) =>
    ({
      preventDefault: vi.fn<() => void>(),
      dataTransfer: { setData() {}, setDragImage() {} },
      clientY: 0,
      currentTarget: { closest: () => null, getBoundingClientRect: () => ({ top: 0, height: 100 }) },
      ...fields,
    }) as never;
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function drag(from: number) {
    const moved = vi.fn<(from: number, to: number) => void>();
    const { result } = renderHook(() => useItemDrag(moved));
    act(() => {
      result.current.handle(from).onDragStart(event());
      vi.runAllTimers();
    });
    const over = (index: number, clientY: number) =>
      act(() => result.current.target(index).onDragOver(event({ clientY })));
    const drop = (index: number) => act(() => result.current.target(index).onDrop(event()));
    return { moved, result, over, drop };
  }

  test.each([
    { from: 0, over: 2, at: 90, to: 2 },
    { from: 0, over: 2, at: 10, to: 1 },
    { from: 2, over: 0, at: 10, to: 0 },
    { from: 2, over: 0, at: 90, to: 1 },
  ])('from $from to the half at $at of $over: $to', ({ from, over: index, at, to }) => {
    const { moved, over, drop } = drag(from);
    over(index, at);
    drop(index);
    expect(moved).toHaveBeenCalledExactlyOnceWith(from, to);
  });

  test.each([
    { over: 1, at: 10 },
    { over: 1, at: 90 },
    { over: 0, at: 90 },
    { over: 2, at: 10 },
  ])('next to its own position an item does not move, and no line is shown: $over at $at', ({ over: index, at }) => {
    const { moved, result, over, drop } = drag(1);
    over(index, at);
    expect([0, 1, 2].map((index) => result.current.lineAt(index, index === 2))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    drop(index);
    expect(moved).not.toHaveBeenCalled();
  });

  test('a line shows the drop target, also below the last item, until the drag ends', () => {
    const { result, over } = drag(0);
    over(2, 10);
    expect(result.current.lineAt(2, true)).toBe('above');
    over(2, 90);
    expect(result.current.lineAt(2, true)).toBe('below');
    expect(result.current.isDragged(0)).toBe(true);
    act(() => result.current.handle(0).onDragEnd());
    expect([result.current.lineAt(2, true), result.current.isDragged(0)]).toEqual([undefined, false]);
  });

  test('a drag from elsewhere is ignored', () => {
    const moved = vi.fn<(from: number, to: number) => void>();
    const { result } = renderHook(() => useItemDrag(moved));
    const foreign = event() as unknown as { preventDefault: ReturnType<typeof vi.fn> };
    act(() => result.current.target(0).onDragOver(foreign as never));
    act(() => result.current.target(0).onDrop(foreign as never));
    expect(foreign.preventDefault).not.toHaveBeenCalled();
    expect(moved).not.toHaveBeenCalled();
  });
});

describe('saving', () => {
  test('when the newer version cannot be read, that is said and nothing is lost', async () => {
    const { served, user } = open(template(), { [`PUT ${path}`]: refused({ status: ['Changed.'] }, { revision: 5 }) });
    fill(await screen.findByRole('textbox', { name: 'Grade' }), 'M1');
    served.replies[`GET ${path}`] = { status: 422, body: { message: 'It cannot be read now.' } };
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect((await screen.findByRole('alert')).textContent).toBe('It cannot be read now.');
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Grade' }).value).toBe('M1');
  });

  test('cancelling a conflict keeps the input', async () => {
    const { served, bodies, user } = open(template(), {
      [`PUT ${path}`]: refused({ status: ['Changed.'] }, { revision: 5 }),
    });
    fill(await screen.findByRole('textbox', { name: 'Grade' }), 'M1');
    served.replies[`GET ${path}`] = itemOf(template({ grade: 'M9', revision: 5 }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    const conflict = await dialogOf('Someone else edited this too');
    await user.click(conflict.getByRole('button', { name: 'Back to form' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Grade' }).value).toBe('M1');
    expect(bodies(`PUT ${path}`)).toHaveLength(1);
  });

  test('a new template belongs to the chosen company, with its scale', async () => {
    const { bodies, user } = open(
      template(),
      { 'POST /api/kpi-templates': { status: 201, body: { data: template(), message: '' } } },
      '/kpi/templates/new',
    );
    fill(await screen.findByRole('textbox', { name: /^Name/ }), 'Buyer');
    await pick(user, screen.getByRole('combobox', { name: 'Company' }), 'Borealis GmbH');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Highest score' }), '10');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Steps' }), 'Half points');
    await user.click(screen.getByRole('button', { name: 'Save draft' }));
    await screen.findByText('Buyer was saved.');
    expect(bodies('POST /api/kpi-templates')[0]).toMatchObject({
      entity_id: 2,
      scale_max: '10',
      score_step: '0.5',
      items: [],
    });
  });
});

describe('templates in the list', () => {
  const choose = async (user: ReturnType<typeof start>['user'], action: string) => {
    await user.click(await screen.findByRole('button', { name: 'Actions for Buyer' }));
    await user.click(await screen.findByRole('menuitem', { name: action }));
  };

  test('an unused template is deleted after a confirmation; cancelling sends no request', async () => {
    const { served, user } = open(
      template(),
      { [`DELETE ${path}`]: refused({ id: ['A cycle uses it.'] }) },
      '/kpi/templates',
    );
    await choose(user, 'Delete');
    const dialog = await dialogOf('Delete Buyer?');
    expect(dialog.getByText('The template and its 2 items are deleted permanently.')).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Keep template' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(served.to(`DELETE ${path}`)).toHaveLength(0);
    await choose(user, 'Delete');
    await user.click((await dialogOf('Delete Buyer?')).getByRole('button', { name: 'Delete template' }));
    expect((await screen.findByRole('alert')).textContent).toBe('A cycle uses it.');
    served.replies[`DELETE ${path}`] = { status: 204 };
    await user.click(screen.getByRole('button', { name: 'Delete template' }));
    expect(await screen.findByText('Buyer was deleted.')).toBeDefined();
  });

  test('a stored template is activated with its revision; a refusal lists what is missing', async () => {
    const { served, bodies, user } = open(
      template(),
      { [`POST ${path}/activate`]: refused({ items: ['90.00 %.'] }) },
      '/kpi/templates',
    );
    await choose(user, 'Activate');
    const dialog = await dialogOf('Activate Buyer?');
    await user.click(dialog.getByRole('button', { name: 'Activate' }));
    expect((await dialog.findByRole('alert')).textContent).toBe('90.00 %.');
    served.replies[`POST ${path}/activate`] = itemOf(template({ status: 'active' }));
    await user.click(dialog.getByRole('button', { name: 'Activate' }));
    await screen.findByText('Buyer is active. Cycles can use it.');
    expect(bodies(`POST ${path}/activate`)).toEqual([{ revision: 1 }, { revision: 1 }]);
  });

  test('shows the reason when undo cannot reactivate an archived template', async () => {
    const active = template({ status: 'active', allowed_actions: ['archive'] });
    const { user } = open(
      active,
      {
        [`POST ${path}/archive`]: itemOf({ ...active, status: 'archived', revision: 2 }),
        [`POST ${path}/activate`]: { status: 422, body: { message: 'The weights do not add up.' } },
      },
      '/kpi/templates',
    );
    await choose(user, 'Archive');
    await user.click((await dialogOf('Archive Buyer?')).getByRole('button', { name: 'Archive' }));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('The weights do not add up.')).toBeDefined();
  });

  test('a copy goes to the chosen company; a user who may not add one for all companies must choose one', async () => {
    const needed = 'Select a company.';
    const { served, bodies, user } = open(
      template({ entity: null, entity_id: null }),
      {
        [`POST ${path}/duplicate`]: {
          status: 403,
          body: { message: 'This action is unauthorized.', errors: { entity_id: [needed] } },
        },
      },
      '/kpi/templates',
    );
    await choose(user, 'Duplicate');
    const dialog = await dialogOf('Duplicate Buyer');
    await user.click(dialog.getByRole('button', { name: 'Duplicate' }));
    expect(await dialog.findByText(/^Select a company/)).toBeDefined();
    expect(dialog.queryByRole('alert')).toBeNull();
    served.replies[`POST ${path}/duplicate`] = refused({ name: ['The name is taken.'] });
    await pick(user, dialog.getByRole('combobox', { name: 'Company' }), 'Borealis GmbH');
    await user.click(dialog.getByRole('button', { name: 'Duplicate' }));
    expect(await dialog.findByText('The name is taken.')).toBeDefined();
    expect(bodies(`POST ${path}/duplicate`)).toEqual([
      { name: 'Buyer (copy)', entity_id: null },
      { name: 'Buyer (copy)', entity_id: 2 },
    ]);
  });

  test('status, company and text filter the list and are cleared at once', async () => {
    const { served, user, where } = open(template(), {}, '/kpi/templates?page=2');
    await pick(user, await screen.findByRole('combobox', { name: 'Company' }), 'Borealis GmbH');
    fill(screen.getByRole('searchbox', { name: 'Name, description or job title' }), 'zz');
    await user.click(screen.getByRole('button', { name: 'Archived' }));
    served.replies['GET /api/kpi-templates'] = listOf([]);
    await waitFor(() =>
      expect(Object.fromEntries(served.to('GET /api/kpi-templates').at(-1)?.query ?? [])).toEqual({
        entity_id: '2',
        search: 'zz',
        status: 'archived',
      }),
    );
    fill(screen.getByRole('searchbox', { name: 'Name, description or job title' }), 'zzz');
    await waitFor(() => expect(where()).toContain('search=zzz'));
    await screen.findByText('No matching templates');
    await user.click(screen.getAllByRole('button', { name: 'Clear filters' }).at(-1) as HTMLElement);
    await waitFor(() => expect(where()).toBe('/kpi/templates'));
  });
});
