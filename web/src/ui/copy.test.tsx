import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { IntlProvider } from 'use-intl';
import { afterEach, expect, test, vi } from 'vitest';
import { english } from '../testing/start.tsx';
import { CopyText } from './CopyText.tsx';

afterEach(() => vi.restoreAllMocks());

const show = () =>
  render(
    <IntlProvider locale={english.format ?? english.id} messages={english.messages}>
      <MantineProvider>
        <CopyText text="horse-battery" label="Password" />
      </MantineProvider>
    </IntlProvider>,
  );
const press = () => userEvent.click(screen.getByRole('button', { name: /^Copy\s*Password$/ }));

/** A page without TLS: browsers provide no clipboard there, but allow copying a selection. */
function withoutClipboard(copies: () => boolean) {
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined });
  Object.defineProperty(document, 'execCommand', { configurable: true, value: copies });
}

test('copies where the browser has no clipboard', async () => {
  show();
  let copied: string | undefined;
  withoutClipboard(() => {
    copied = (document.activeElement as HTMLTextAreaElement).value;
    return true;
  });
  const button = screen.getByRole('button', { name: /^Copy\s*Password$/ });
  await press();
  expect(copied).toBe('horse-battery');
  expect(await screen.findByRole('button', { name: /^Copied/ })).toBe(document.activeElement);
  expect(button.isConnected).toBe(true);
});

test('says that it could not copy', async () => {
  show();
  withoutClipboard(() => false);
  await press();
  expect(await screen.findByText('Couldn’t copy. Select the text instead.')).toBeDefined();
  expect(screen.getByRole('button', { name: /^Copy\s*Password$/ })).toBeDefined();
});
