export type Piece = { text: string; url?: string };

const candidates = /https?:\/\/[^\s<>"]+/giu;
/** Punctuation after an address in a sentence is not part of it. */
const trailing = /[.,;:!?'’”“»…]+$/u;

/** A closing bracket belongs to an address only if the address contains its opening one. */
function trimmed(address: string): string {
  let end = address.replace(trailing, '');
  while (end.endsWith(')') && !end.includes('(')) end = end.slice(0, -1).replace(trailing, '');
  return end;
}

/** Splits plain text into pieces; web addresses become links, and nothing else does. */
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
