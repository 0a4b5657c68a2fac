const key = 'tenure.sign-in.email';

/** The email to fill in at the next sign-in on this device, if the user wanted that. */
export function rememberedEmail(): string {
  try {
    return localStorage.getItem(key) ?? '';
  } catch {
    // storage may be turned off
    return '';
  }
}

/** Keeps the email on this device, or removes it. */
export function rememberEmail(email: string | null): void {
  try {
    if (email === null) localStorage.removeItem(key);
    else localStorage.setItem(key, email);
  } catch {
    // the next sign-in starts with an empty field
  }
}
