import { fireEvent, screen, within } from '@testing-library/react';
import type { start } from './start.tsx';

type User = ReturnType<typeof start>['user'];

/** Enters a text at once, as pasting does. */
export const fill = (field: HTMLElement, text: string) => fireEvent.change(field, { target: { value: text } });

/** Chooses an option of a combobox. */
export async function pick(user: User, field: HTMLElement, option: string | RegExp): Promise<void> {
  await user.click(field);
  await user.click(await screen.findByRole('option', { name: option, hidden: true }));
}

/** The dialog with this title, as queries. */
export const dialogOf = async (name: string | RegExp) => within(await screen.findByRole('dialog', { name }));
