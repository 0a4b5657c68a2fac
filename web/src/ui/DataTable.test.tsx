import { MantineProvider } from '@mantine/core';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { LocaleProvider } from '../locales/locale.tsx';
import { english } from '../testing/start.tsx';
import { CardOf } from './CardOf.tsx';
import { DataTable, type Sort } from './DataTable.tsx';
import { Dialog } from './Dialog.tsx';
import { Pager } from './Pager.tsx';

type Person = { id: number; name: string; number: string };
const people: Person[] = [
  { id: 1, name: 'Lena Park', number: 'ACME-057' },
  { id: 2, name: 'Jon Reed', number: 'ACME-058' },
];
const columns = [
  { id: 'name', header: 'Name', sortBy: 'last_name', cell: (row: Person) => row.name },
  { id: 'number', header: 'Number', cell: (row: Person) => row.number },
];

const show = (node: React.ReactNode) =>
  render(
    <LocaleProvider language={english}>
      <MantineProvider>{node}</MantineProvider>
    </LocaleProvider>,
  );

const table = (sort: Sort, onSort = vi.fn<(sort: Sort) => void>()) => {
  show(
    <DataTable label="People" columns={columns} rows={people} rowKey={({ id }) => id} sort={sort} onSort={onSort} />,
  );
  return onSort;
};

test('renders a native table in a named region that scrolls by keyboard', () => {
  table({ by: 'last_name', direction: 'asc' });
  const region = screen.getByRole('region', { name: 'People' });
  expect(region.tabIndex).toBe(0);
  expect(within(region).getAllByRole('row')).toHaveLength(3);
  expect(screen.getByRole('cell', { name: 'ACME-058' })).toBeDefined();
});

test('the header of the sorted column shows the order and reverses it', async () => {
  const onSort = table({ by: 'last_name', direction: 'asc' });
  const header = screen.getByRole('columnheader', { name: /Name/ });
  expect(header.getAttribute('aria-sort')).toBe('ascending');
  await userEvent.click(within(header).getByRole('button'));
  expect(onSort).toHaveBeenCalledWith({ by: 'last_name', direction: 'desc' });
  expect(within(screen.getByRole('columnheader', { name: 'Number' })).queryByRole('button')).toBeNull();
});

test('another column starts ascending', async () => {
  const onSort = table({ by: 'email', direction: 'asc' });
  expect(screen.getByRole('columnheader', { name: /Name/ }).hasAttribute('aria-sort')).toBe(false);
  await userEvent.click(screen.getByRole('button', { name: /Name/ }));
  expect(onSort).toHaveBeenCalledWith({ by: 'last_name', direction: 'asc' });
});

test('a phone gets a list of cards instead', () => {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('max-width'),
    addEventListener() {},
    removeEventListener() {},
  }));
  show(
    <DataTable
      label="People"
      columns={columns}
      rows={people}
      rowKey={({ id }) => id}
      card={({ name }) => <b>{name}</b>}
    />,
  );
  expect(screen.queryByRole('table')).toBeNull();
  expect(within(screen.getByRole('region', { name: 'People' })).getAllByRole('listitem')).toHaveLength(2);
});

/** A window that can be made narrow and wide again. */
function resizable() {
  let narrow = false;
  const listeners = new Set<(event: { matches: boolean }) => void>();
  vi.stubGlobal('matchMedia', (query: string) => {
    const isWidth = query.includes('max-width');
    return {
      matches: isWidth && narrow,
      addEventListener: (_name: string, hear: (event: { matches: boolean }) => void) => isWidth && listeners.add(hear),
      removeEventListener: (_name: string, hear: (event: { matches: boolean }) => void) => listeners.delete(hear),
    };
  });
  return (isNarrow: boolean) =>
    act(() => {
      narrow = isNarrow;
      for (const hear of listeners) hear({ matches: narrow });
    });
}

function Note({ name }: { name: string }) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpened(true)}>
        Note {name}
      </button>
      <Dialog title={name} opened={opened} onClose={() => setOpened(false)}>
        <input aria-label="Text" />
      </Dialog>
    </>
  );
}

test('a dialog of a row stays when the window gets as narrow as a phone, and the list is one of cards after it', async () => {
  const resize = resizable();
  const own = [...columns, { id: 'note', header: 'Note', cell: ({ name }: Person) => <Note name={name} /> }];
  show(
    <DataTable
      label="People"
      columns={own}
      rows={people}
      rowKey={({ id }) => id}
      card={(row) => <CardOf columns={own} row={row} />}
    />,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Note Jon Reed' }));
  await userEvent.type(await screen.findByRole('textbox', { name: 'Text' }), 'Ask him');
  resize(true);
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Text' }).value).toBe('Ask him');
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('table')).toBeNull());
  expect(screen.getAllByRole('listitem')).toHaveLength(2);
  expect(screen.queryByRole('dialog')).toBeNull();

  await userEvent.click(screen.getByRole('button', { name: 'Note Jon Reed' }));
  await screen.findByRole('dialog', { name: 'Jon Reed' });
  resize(false);
  expect(screen.getByRole('dialog', { name: 'Jon Reed' })).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(await screen.findByRole('table')).toBeDefined();
});

test('the pager leads to the neighbours and the ends, and stops there', async () => {
  const onPage = vi.fn<(page: number) => void>();
  const meta = { current_page: 2, last_page: 3, from: 16, to: 30, total: 1_248, per_page: 15 };
  show(<Pager meta={meta} onPage={onPage} />);
  expect(screen.getByText('16–30 of 1,248')).toBeDefined();
  for (const name of ['First page', 'Previous page', 'Next page', 'Last page'])
    await userEvent.click(screen.getByRole('button', { name }));
  expect(onPage.mock.calls).toEqual([[1], [1], [3], [3]]);
});

test('the last page has no next one', () => {
  const meta = { current_page: 3, last_page: 3, from: 31, to: 40, total: 40, per_page: 15 };
  show(<Pager meta={meta} onPage={() => {}} />);
  expect(screen.getByRole('button', { name: 'Next page' }).hasAttribute('disabled')).toBe(true);
  expect(screen.getByRole('button', { name: 'First page' }).hasAttribute('disabled')).toBe(false);
});
