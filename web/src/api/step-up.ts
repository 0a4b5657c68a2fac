import type { ApiError } from './api-error.ts';
import { confirmation, refusalOf } from './call.ts';
import type { Confirm } from './call.ts';

/** Asks the user to confirm their identity with one of the proofs that the refusal names; false if they cancel. */
type Ask = (refusal: ApiError) => Promise<boolean>;

/** Registers the dialog that asks. Concurrent requests share one dialog. Returns a function that removes it. */
export function onStepUp(ask: Ask): () => void {
  let asking: Promise<boolean> | undefined;
  const confirm: Confirm = async (refusal, attempt) => {
    asking ??= ask(refusal).finally(() => {
      asking = undefined;
    });
    if (!(await asking)) throw refusal;
    const response = await attempt();
    if (!response.ok) throw await refusalOf(response);
    return response;
  };
  confirmation.by = confirm;
  return () => {
    confirmation.by = undefined;
  };
}
