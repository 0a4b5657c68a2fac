const opened = new EventTarget();

/** Opens the help of the page. */
export const openHelp = () => void opened.dispatchEvent(new Event('open'));

/** Calls back when help is asked for; returns what ends it. */
export function onHelp(listener: () => void): () => void {
  opened.addEventListener('open', listener);
  return () => opened.removeEventListener('open', listener);
}
