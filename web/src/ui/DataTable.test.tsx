import { MantineProvider } from '@mantine/core';
import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { LocaleProvider } from '../locales/locale.tsx';
import { english } from '../testing/start.tsx';
import { DataTable, type Sort } from './DataTable.tsx';
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
