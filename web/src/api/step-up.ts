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

/** Asks for the confirmation that the service wants; concurrent requests share one dialog. */
export async function isConfirmed(): Promise<boolean> {
  if (!ask) return false;
  asking ??= ask().finally(() => {
    asking = undefined;
  });
  return asking;
}
