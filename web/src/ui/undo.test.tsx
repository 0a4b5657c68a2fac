import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, renderHook, screen } from '@testing-library/react';
import { IntlProvider } from 'use-intl';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { english } from '../testing/start.tsx';
import { cancelDeferred, clearDeferred, defer, flush, flushAll, useDeferred } from './deferred.ts';
import { SearchField } from './SearchField.tsx';
import { ToastProvider, useToast } from './toasts.tsx';
import { addLeaveGuard, mayLeave } from './unsaved.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const shown = (node: React.ReactNode) => (
  <IntlProvider locale={english.format ?? english.id} messages={english.messages}>
    <MantineProvider>{node}</MantineProvider>
  </IntlProvider>
);
const seconds = (count: number) => act(() => void vi.advanceTimersByTime(count * 1_000));
const button = (name: string) => screen.getByRole('button', { name });

describe('toasts', () => {
  const gone = vi.fn<(name: string) => void>();
  const undone = vi.fn<(name: string) => void>();
  beforeEach(() => {
    gone.mockClear();
    undone.mockClear();
  });

  function Buttons() {
    const toast = useToast();
    const say = (name: string) => toast({ text: name, undo: () => undone(name), onGone: () => gone(name) });
    return ['First', 'Second'].map((name) => (
      <button key={name} onClick={() => say(name)}>
        {`Do ${name}`}
      </button>
    ));
  }
  const open = () => {
    render(
      shown(
        <ToastProvider>
          <Buttons />
        </ToastProvider>,
      ),
    );
    fireEvent.click(button('Do First'));
  };

  test('the page makes room for a toast as long as it is shown', () => {
    const room = () => document.documentElement.style.getPropertyValue('--toast-room');
    expect(room()).toBe('');
    open();
    expect(room()).toBe('16px');
    fireEvent.click(button('Do Second'));
    expect(room()).toBe('16px');
    seconds(8);
    expect(room()).toBe('');
  });

  test('a toast goes after eight seconds, and the time to undo with it', () => {
    open();
    seconds(7);
    expect(screen.getByText('First')).toBeDefined();
    expect(gone).not.toHaveBeenCalled();
    seconds(2);
    expect(screen.queryByText('First')).toBeNull();
    expect(gone.mock.calls).toEqual([['First']]);
  });

  test.each([
    ['the pointer is on it', 'mouseEnter', 'mouseLeave'],
    ['the focus is in it', 'focus', 'blur'],
  ] as const)('it stays while %s, and eight seconds after', (_when, enter, leave) => {
    open();
    const toast = screen.getByText('First').parentElement as HTMLElement;
    fireEvent[enter](toast);
    seconds(60);
    expect(screen.getByText('First')).toBeDefined();
    fireEvent[leave](toast);
    seconds(7);
    expect(screen.getByText('First')).toBeDefined();
    seconds(2);
    expect(screen.queryByText('First')).toBeNull();
  });

  test('the newest takes the place of the one before, whose time to undo is over', () => {
    open();
    fireEvent.click(button('Do Second'));
    expect(screen.queryByText('First')).toBeNull();
    expect(gone.mock.calls).toEqual([['First']]);
    fireEvent.click(button('Undo'));
    expect(undone.mock.calls).toEqual([['Second']]);
    seconds(60);
    expect(gone.mock.calls).toEqual([['First'], ['Second']]);
  });

  test('closing it ends the time to undo at once', () => {
    open();
    fireEvent.click(button('Close'));
    expect(screen.queryByText('First')).toBeNull();
    expect(gone.mock.calls).toEqual([['First']]);
    expect(undone).not.toHaveBeenCalled();
  });
});

describe('changes that can be undone', () => {
  const sender = () => vi.fn<(options: { keepalive?: true }) => Promise<void>>().mockResolvedValue();
  afterEach(() => clearDeferred());

  test('a deferred change is sent once, also when it is flushed twice', async () => {
    let finish: () => void = () => {};
    const send = sender().mockImplementation(() => new Promise((resolve) => (finish = resolve)));
    defer('a', send);
    const both = Promise.all([flush('a'), flush('a')]);
    finish();
    await both;
    await flush('a');
    expect(send).toHaveBeenCalledExactlyOnceWith({});
  });

  test('a change that was taken back is not sent', async () => {
    const send = sender();
    defer('a', send);
    cancelDeferred('a');
    await flushAll();
    expect(send).not.toHaveBeenCalled();
  });

  test('what is left when the page closes is sent with a request that outlives it', () => {
    const [first, second] = [sender(), sender()];
    defer('a', first);
    defer('b', second);
    window.dispatchEvent(new Event('pagehide'));
    for (const send of [first, second]) expect(send).toHaveBeenCalledExactlyOnceWith({ keepalive: true });
  });

  test('after a sign-out nothing of it is sent', async () => {
    const send = sender();
    defer('a', send);
    clearDeferred();
    await flushAll();
    window.dispatchEvent(new Event('pagehide'));
    expect(send).not.toHaveBeenCalled();
  });

  test('their names are known while they are deferred, also after a failure', async () => {
    const { result } = renderHook(() => useDeferred());
    const failing = sender().mockRejectedValue(new Error('Away'));
    act(() => defer('a', failing));
    expect([...result.current]).toEqual(['a']);
    await act(async () => expect(flush('a')).rejects.toThrow('Away'));
    expect([...result.current]).toEqual([]);
  });
});

describe('leaving a page with unsaved forms', () => {
  test('every form is asked in turn until one refuses, and a closed form is not asked', async () => {
    const asked: string[] = [];
    const guard = (name: string, leaves: boolean) =>
      addLeaveGuard(() => {
        asked.push(name);
        return Promise.resolve(leaves);
      });
    const closed = guard('closed', false);
    closed();
    const ends = [guard('first', true), guard('second', false), guard('third', true)];
    expect(await mayLeave()).toBe(false);
    expect(asked).toEqual(['first', 'second']);
    for (const end of ends) end();
    expect(await mayLeave()).toBe(true);
  });
});

describe('fields', () => {
  test('a search sends the text a moment after the last key, trimmed, and an empty one as none', () => {
    const sent = vi.fn<(text: string | undefined) => void>();
    render(shown(<SearchField label="Search" value="lena" onChange={sent} />));
    const field = screen.getByRole<HTMLInputElement>('searchbox');
    expect(field.value).toBe('lena');
    fireEvent.change(field, { target: { value: 'om' } });
    act(() => void vi.advanceTimersByTime(200));
    fireEvent.change(field, { target: { value: ' omar ' } });
    act(() => void vi.advanceTimersByTime(240));
    expect(sent).not.toHaveBeenCalled();
    act(() => void vi.advanceTimersByTime(20));
    expect(sent.mock.calls).toEqual([['omar']]);
    fireEvent.change(field, { target: { value: '  ' } });
    seconds(1);
    expect(sent).toHaveBeenLastCalledWith(undefined);
  });

  test('a search follows the address, but keeps what is being typed', () => {
    const { rerender } = render(shown(<SearchField label="Search" value="lena" onChange={() => {}} />));
    const field = screen.getByRole<HTMLInputElement>('searchbox');
    rerender(shown(<SearchField label="Search" value="omar" onChange={() => {}} />));
    expect(field.value).toBe('omar');
    fireEvent.change(field, { target: { value: 'bea' } });
    seconds(1);
    fireEvent.change(field, { target: { value: 'bea l' } });
    rerender(shown(<SearchField label="Search" value="bea" onChange={() => {}} />));
    expect(field.value).toBe('bea l');
    rerender(shown(<SearchField label="Search" value={undefined} onChange={() => {}} />));
    expect(field.value).toBe('');
  });
});
