/** May people ask for a link to a new password? The service writes it into the page. */
export const offersResets = (): boolean => document.querySelector('meta[name="password-reset"]') !== null;
