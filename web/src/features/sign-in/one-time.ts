/** The one-time password of the sign-in just done, in the memory of this page until the user has chosen their own. */
let typed: string | undefined;

export const keepOneTime = (password: string): void => {
  typed = password;
};

export const typedOneTime = (): string | undefined => typed;

export const clearOneTime = (): void => {
  typed = undefined;
};
