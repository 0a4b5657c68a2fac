/** May users request a link to set a new password? The service writes this into the page. */
export const offersResets = (): boolean => document.querySelector('meta[name="password-reset"]') !== null;
