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

/** A drawer that opens a dialog, which is outside of it or, as the question about a conflict, within it. */
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
