import type { ApiError } from './api-error.ts';
import { refusalOf } from './call.ts';

/** Asks the user to confirm who they are; false if they would rather not. */
type Ask = () => Promise<boolean>;

let ask: Ask | undefined;
let asking: Promise<boolean> | undefined;

/** Registers the dialog that asks. Without one, a refusal stays a refusal. Returns what removes it again. */
export function onStepUp(dialog: Ask): () => void {
  ask = dialog;
  return () => {
    if (ask !== dialog) return;
    ask = undefined;
    // who signs in again is asked again
    asking = undefined;
  };
}

/** Repeats a request once after the confirmation that the service wants; concurrent requests share one dialog. */
export async function confirmed(refusal: ApiError, attempt: () => Promise<Response>): Promise<Response> {
  if (!ask) throw refusal;
  asking ??= ask().finally(() => {
    asking = undefined;
  });
  if (!(await asking)) throw refusal;
  const response = await attempt();
  if (!response.ok) throw await refusalOf(response);
  return response;
}
