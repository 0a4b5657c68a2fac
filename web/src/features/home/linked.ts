export type Piece = { text: string; url?: string };

const candidates = /https?:\/\/[^\s<>"]+/giu;
/** What follows an address in a sentence is no part of it. */
const trailing = /[.,;:!?'’”“»…]+$/u;

/** A closing bracket belongs to an address only if it also opens there. */
function trimmed(address: string): string {
  let end = address.replace(trailing, '');
  while (end.endsWith(')') && !end.includes('(')) end = end.slice(0, -1).replace(trailing, '');
  return end;
}

/** Plain text in pieces, of which web addresses have a link; nothing else becomes one. */
export function linked(text: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const match of text.matchAll(candidates)) {
    const url = trimmed(match[0]);
    if (!URL.canParse(url)) continue;
    if (match.index > at) pieces.push({ text: text.slice(at, match.index) });
    pieces.push({ text: url, url });
    at = match.index + url.length;
  }
  if (at < text.length) pieces.push({ text: text.slice(at) });
  return pieces;
}
