import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { IntlProvider } from 'use-intl';
import { afterEach, expect, test, vi } from 'vitest';
import { english } from '../testing/start.tsx';
import { DateField } from './DateField.tsx';
import { DayFilter } from './DayFilter.tsx';

const shown = (node: React.ReactNode) => (
  <IntlProvider locale={english.format ?? english.id} messages={english.messages}>
    <MantineProvider>{node}</MantineProvider>
  </IntlProvider>
);

afterEach(() => void Reflect.deleteProperty(HTMLInputElement.prototype, 'showPicker'));

test('a day filter waits until a day is complete, and shows it as it is read elsewhere', async () => {
  const user = userEvent.setup();
  const sent = vi.fn<(day: string | undefined) => void>();
  function Filter() {
    const [day, setDay] = useState<string>();
    const send = (next: string | undefined) => {
      sent(next);
      setDay(next);
    };
    return <DayFilter label="From" value={day} onChange={send} />;
  }
  render(shown(<Filter />));
  const field = screen.getByLabelText<HTMLInputElement>('From');
  expect(field.placeholder).toBe('mm/dd/yyyy');
  await user.type(field, '2/1/2026');
  expect(sent.mock.calls).toEqual([['2026-02-01']]);
  expect(field.value).toBe('2/1/2026');
  await user.tab();
  expect(field.value).toBe('1 Feb 2026');
  await user.clear(field);
  expect(sent).toHaveBeenLastCalledWith(undefined);
  expect(field.value).toBe('');
  await user.type(field, '3/4/26{Enter}');
  expect(sent).toHaveBeenLastCalledWith('2026-03-04');
});

test('a day that was typed in part is reported before it counts as none', () => {
  function Field() {
    const [day, setDay] = useState('');
    return <DateField label="Joined" value={day} onChange={setDay} />;
  }
  render(shown(<Field />));
  const field = screen.getByLabelText<HTMLInputElement>('Joined');
  fireEvent.change(field, { target: { value: '2 Feb' } });
  fireEvent.blur(field);
  expect(screen.getByText('Enter a date as mm/dd/yyyy.')).toBeDefined();
  expect(field.value).toBe('2 Feb');
  fireEvent.change(field, { target: { value: '2 Feb 2026' } });
  expect(screen.queryByText('Enter a date as mm/dd/yyyy.')).toBeNull();
});

test('the calendar of the browser sets the day', async () => {
  const showPicker = vi.fn<() => void>();
  Object.assign(HTMLInputElement.prototype, { showPicker });
  const changed = vi.fn<(day: string) => void>();
  const { container } = render(
    shown(<DateField label="Joined" value="2026-02-01" onChange={changed} min="2026-01-01" />),
  );
  await userEvent.setup().click(screen.getByRole('button', { name: 'Open calendar: Joined' }));
  expect(showPicker).toHaveBeenCalledOnce();
  const native = container.querySelector<HTMLInputElement>('input[type=date]');
  expect(native).toMatchObject({ value: '2026-02-01', min: '2026-01-01' });
  fireEvent.change(native as HTMLElement, { target: { value: '2026-03-01' } });
  expect(changed.mock.calls).toEqual([['2026-03-01']]);
});

test('a browser without a calendar has a field to type in', () => {
  render(shown(<DateField label="Joined" value="" onChange={() => {}} />));
  expect(screen.queryByRole('button')).toBeNull();
});
