const unmatched = '/%20not-found';

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

/** The address to route by: without one trailing slash, and an address that matches nothing for a suspicious one. */
export function routablePath(url: string): string {
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  const query = end < 0 ? '' : url.slice(end);
  // dots that are encoded decode to the segments above
  if (suspicious.test(path) || suspicious.test(path.replaceAll(/%2e/gi, '.')) || !decodes(path)) return unmatched + query;
  return (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path) + query;
}
