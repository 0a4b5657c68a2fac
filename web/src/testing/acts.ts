import { fireEvent, screen, within } from '@testing-library/react';
import type { start } from './start.tsx';

type User = ReturnType<typeof start>['user'];

/** Puts a text into a field at once, as a paste does. */
export const fill = (field: HTMLElement, text: string) => fireEvent.change(field, { target: { value: text } });

/** Chooses an option of a list that opens below its field. */
export async function pick(user: User, field: HTMLElement, option: string | RegExp): Promise<void> {
  await user.click(field);
  await user.click(await screen.findByRole('option', { name: option, hidden: true }));
}

/** The dialog of this title, ready to be searched. */
export const dialogOf = async (name: string | RegExp) => within(await screen.findByRole('dialog', { name }));
