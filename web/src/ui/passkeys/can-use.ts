/** Whether this browser supports passkeys; without TLS, none does except on localhost. */
export const canUsePasskeys = () => 'PublicKeyCredential' in window;
