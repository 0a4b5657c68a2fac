type Send = { reset: () => void };

/** Closes a dialog and forgets the answers of its requests: opened anew, it does not begin with an old refusal. */
export const closing =
  (close: () => void, ...sends: readonly Send[]) =>
  (): void => {
    for (const send of sends) send.reset();
    close();
  };
