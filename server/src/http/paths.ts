const unmatched = '/%20not-found';

/** Paths of the API that are addresses without its prefix too. */
export const withoutPrefix: ReadonlySet<string> = new Set(['/login', '/two-factor-challenge', '/logout']);

/** A path without the encodings of characters that need none: what reads it later sees one spelling of it. */
const plainly = (path: string) =>
  path.replaceAll(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : code;
  });

/** Encodings and segments that servers read in different ways; none of our addresses needs them. */
const suspicious = /\/\/|\/\.{1,2}(?=\/|$)|%2f|%5c|%00|;|\\|%(?![0-9a-f]{2})/i;

const decodes = (path: string) => {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
};

/** An ambiguous address keeps its first segment, so that the refusal has the form of that part. */
const refused = (path: string) => `${/^\/(api|sanctum)(?=\/)/.exec(path)?.[0] ?? ''}${unmatched}`;

/** Whether `routablePath` made this decoded address from a suspicious one. */
export const isUnroutable = (path: string) => path.endsWith(decodeURIComponent(unmatched));

/** The address to route by: plain, without one trailing slash; one that matches nothing for a suspicious one. */
export function routablePath(url: string): string {
  const end = url.indexOf('?');
  const sent = end < 0 ? url : url.slice(0, end);
  const query = end < 0 ? '' : url.slice(end);
  const path = plainly(sent);
  // dots that are encoded decode to the segments above
  const isSuspicious = [sent, path].some((text) => suspicious.test(text)) || !decodes(sent);
  if (isSuspicious || !path.startsWith('/')) return refused(path) + query;
  return (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path) + query;
}
