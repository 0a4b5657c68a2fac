type Send = { reset: () => void };

/** Closes a dialog and resets its requests, so that it does not open again with an old error. */
export const closing =
  (close: () => void, ...sends: readonly Send[]) =>
  (): void => {
    for (const send of sends) send.reset();
    close();
  };
