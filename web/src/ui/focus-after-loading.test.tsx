import { Button } from '@mantine/core';
import { render, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ThemeProvider } from './ThemeProvider.tsx';

const shown = (loading: boolean) => (
  <ThemeProvider>
    <Button loading={loading}>Save</Button>
    <Button>Cancel</Button>
  </ThemeProvider>
);
const button = (name: string) => screen.getByRole('button', { name });

test('a button that waited for an answer has the focus again', async () => {
  const { rerender } = render(shown(false));
  button('Save').focus();
  rerender(shown(true));
  // browsers blur a disabled element; the simulated one does not
  button('Save').blur();
  rerender(shown(false));
  await waitFor(() => expect(document.activeElement).toBe(button('Save')));
});

test('the focus stays where the user moved it meanwhile', async () => {
  const { rerender } = render(shown(false));
  button('Save').focus();
  rerender(shown(true));
  button('Cancel').focus();
  rerender(shown(false));
  await waitFor(() => expect(button('Save').hasAttribute('disabled')).toBe(false));
  expect(document.activeElement).toBe(button('Cancel'));
});
