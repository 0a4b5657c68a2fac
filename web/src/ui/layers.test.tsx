import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState, type ReactNode } from 'react';
import { IntlProvider } from 'use-intl';
import { expect, test } from 'vitest';
import { english } from '../testing/start.tsx';
import { Dialog } from './Dialog.tsx';
import { SheetDrawer } from './SheetDrawer.tsx';
import { theme } from './theme.ts';

/** A drawer that opens a dialog, which is outside of it or, like the conflict dialog, within it. */
function Layers({ within = false }: { within?: boolean }) {
  const [drawer, setDrawer] = useState(true);
  const [question, setQuestion] = useState(false);
  const dialog = (
    <Dialog title="Question" opened={question} onClose={() => setQuestion(false)}>
      {null}
    </Dialog>
  );
  return (
    <>
      <SheetDrawer title="Drawer" opened={drawer} onClose={() => setDrawer(false)} position="right" size="20rem">
        <button type="button" onClick={() => setQuestion(true)} aria-label="Ask" />
        {within && dialog}
      </SheetDrawer>
      {!within && dialog}
    </>
  );
}

const show = (node: ReactNode) =>
  render(
    <IntlProvider locale={english.format ?? english.id} messages={english.messages}>
      <MantineProvider theme={theme} env="test">
        {node}
      </MantineProvider>
    </IntlProvider>,
  );

test.each([
  ['beside', false],
  ['within', true],
])('Escape closes the layer in front, then the one behind it: a dialog %s a drawer', async (_name, within) => {
  const user = userEvent.setup();
  show(<Layers within={within} />);
  await user.click(await screen.findByRole('button', { name: 'Ask' }));
  await screen.findByRole('dialog', { name: 'Question' });
  await user.keyboard('{Escape}');
  await expect.poll(() => screen.queryByRole('dialog', { name: 'Question' })).toBeNull();
  expect(screen.getByRole('dialog', { name: 'Drawer' })).toBeTruthy();
  await user.keyboard('{Escape}');
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
});

test('the title bar of a layer is no landmark of the page', async () => {
  show(<Layers />);
  const drawer = await screen.findByRole('dialog', { name: 'Drawer' });
  expect(drawer.querySelector('header')?.getAttribute('role')).toBe('none');
});

/** A dialog with a field, or with content that is shown only once. */
function Form({ showsOnce = false }: { showsOnce?: boolean }) {
  const [isOpen, setOpen] = useState(true);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)} aria-label="Open" />
      <Dialog title="Form" opened={isOpen} onClose={() => setOpen(false)} showsOnce={showsOnce}>
        <input aria-label="Name" />
      </Dialog>
    </>
  );
}

const clickOutside = (user: ReturnType<typeof userEvent.setup>) =>
  user.click(document.querySelector<HTMLElement>('.mantine-Modal-overlay') as HTMLElement);
const form = () => screen.queryByRole('dialog', { name: 'Form' });

test('a click outside closes a dialog, but none in which something was entered', async () => {
  const user = userEvent.setup();
  show(<Form />);
  await screen.findByRole('dialog', { name: 'Form' });
  await clickOutside(user);
  await expect.poll(form).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Open' }));
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Lena');
  await clickOutside(user);
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('Lena');
  await user.keyboard('{Escape}');
  await expect.poll(form).toBeNull();
  // after reopening it is empty, so a click outside closes it again
  await user.click(screen.getByRole('button', { name: 'Open' }));
  await screen.findByRole('dialog', { name: 'Form' });
  await clickOutside(user);
  await expect.poll(form).toBeNull();
});

test('a click outside does not close what is shown only once', async () => {
  const user = userEvent.setup();
  show(<Form showsOnce />);
  await screen.findByRole('dialog', { name: 'Form' });
  await clickOutside(user);
  expect(form()).not.toBeNull();
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await expect.poll(form).toBeNull();
});
