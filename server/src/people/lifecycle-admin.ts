import { text } from '@tenure/contract';
import type { HttpError } from '../http/errors.ts';

export const lastAdmin = text('employees.last_admin');

/** Turns the database's refusal to remove the last active administrator into the caller's error. */
export async function unlessLastAdmin<T>(work: Promise<T>, refusal: () => HttpError): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if ((error as { constraint?: string }).constraint === 'last_active_admin') throw refusal();
    throw error;
  }
}
