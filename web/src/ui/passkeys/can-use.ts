/** Whether this browser knows passkeys; none does on a page without TLS, but that of the own machine. */
export const canUsePasskeys = () => 'PublicKeyCredential' in window;
