const opened = new EventTarget();

/** Opens the help for the page. */
export const openHelp = () => void opened.dispatchEvent(new Event('open'));

/** Subscribes to requests for help; returns the unsubscribe function. */
export function onHelp(listener: () => void): () => void {
  opened.addEventListener('open', listener);
  return () => opened.removeEventListener('open', listener);
}
