/**
 * Finds the translation of a finished English sentence. Templates are split into their fixed pieces, which are looked
 * for from left to right without going back: the time is linear in the length of the text, whatever a person is called.
 */

/** English templates and what they are in the other language; `:attribute` and `{name}` stand for what varies. */
export type Texts = Readonly<Record<string, string>>;

/** Puts what was found in a place into the other language; undefined when it cannot stand there. */
export type Reader = (found: string) => string | undefined;

type Template = { pieces: string[]; slots: { name: string; read: Reader }[]; target: string };

const slotPattern = /:attribute|\{[a-z]+\d*\}/g;

/** `{n2}` is read like `{n}`, `:attribute` like `{attribute}`. */
const kindOf = (slot: string) => slot.replaceAll(/[^a-z]/g, '');

function compile(source: string, target: string, readers: Readonly<Record<string, Reader>>): Template {
  const slots = [...source.matchAll(slotPattern)].map(([name]) => {
    const read = readers[kindOf(name)];
    if (!read) throw new Error(`Nothing reads ${name} in "${source}"`);
    return { name, read };
  });
  const pieces = source.split(slotPattern);
  if (pieces.slice(1, -1).includes('')) throw new Error(`Two places without a word between them in "${source}"`);
  return { pieces, slots, target };
}

/** What stands in the places of a template, or undefined when the text is another one. */
function places({ pieces }: Template, text: string): string[] | undefined {
  const [head = '', ...rest] = pieces;
  const tail = rest.pop() ?? '';
  const end = text.length - tail.length;
  if (end < head.length || !text.startsWith(head) || !text.endsWith(tail)) return undefined;
  const found: string[] = [];
  let from = head.length;
  for (const piece of rest) {
    const at = text.indexOf(piece, from);
    if (at < 0 || at + piece.length > end) return undefined;
    found.push(text.slice(from, at));
    from = at + piece.length;
  }
  return [...found, text.slice(from, end)];
}

function fill(template: Template, text: string): string | undefined {
  const found = places(template, text);
  const read = found?.map((part, index) => template.slots[index]?.read(part));
  if (!read || read.includes(undefined)) return undefined;
  const values = new Map(template.slots.map(({ name }, index) => [name, read[index] ?? '']));
  return template.target.replaceAll(slotPattern, (name) => values.get(name) ?? name);
}

const fixedLength = ({ pieces }: Template) => pieces.join('').length;

/** A function that knows all texts; the template with the most fixed words is asked first. */
export function matcherOf(texts: Texts, readers: Readonly<Record<string, Reader>>): Reader {
  const fixed = new Map<string, string>();
  const templates: Template[] = [];
  for (const [source, target] of Object.entries(texts)) {
    const template = compile(source, target, readers);
    if (template.slots.length === 0) fixed.set(source, target);
    else templates.push(template);
  }
  templates.sort((a, b) => fixedLength(b) - fixedLength(a));
  return (text) => {
    const known = fixed.get(text);
    if (known !== undefined) return known;
    for (const template of templates) {
      const filled = fill(template, text);
      if (filled !== undefined) return filled;
    }
    return undefined;
  };
}
