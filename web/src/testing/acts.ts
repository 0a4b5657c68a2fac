import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { start } from './start.tsx';

type User = ReturnType<typeof start>['user'];

/** Enters a text at once, as pasting does. */
export const fill = (field: HTMLElement, text: string) => fireEvent.change(field, { target: { value: text } });

/** Types a day and leaves its field. */
export function fillDay(field: HTMLElement, day: string): void {
  fill(field, day);
  fireEvent.blur(field);
}

/** Chooses an option of a combobox. */
export async function pick(user: User, field: HTMLElement, option: string | RegExp): Promise<void> {
  await user.click(field);
  const list = await waitFor(() => {
    const opened = document.getElementById(field.getAttribute('aria-controls') ?? '');
    if (!opened) throw new Error('The list is not open yet.');
    return opened;
  });
  await user.click(await within(list).findByRole('option', { name: option, hidden: true }));
}

/** The dialog with this title, as queries. */
export const dialogOf = async (name: string | RegExp) => within(await screen.findByRole('dialog', { name }));
