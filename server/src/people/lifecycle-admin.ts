import type { HttpError } from '../http/errors.ts';

export const lastAdmin = 'There must always be one active administrator.';

/** Does what the database refuses to do to the last active administrator, and says so in the words of the caller. */
export async function unlessLastAdmin<T>(work: Promise<T>, refusal: () => HttpError): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if ((error as { constraint?: string }).constraint === 'last_active_admin') throw refusal();
    throw error;
  }
}
