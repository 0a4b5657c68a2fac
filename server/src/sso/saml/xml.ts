import { SaxesParser } from 'saxes';
import type { SaxesAttributeNS, SaxesTagNS } from 'saxes';

/** Documents of SAML, read strictly: what they have no use for is refused and not skipped. */

export const namespaces = {
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
} as const;

export type Element = {
  /** The name without its prefix, and the namespace it stands for. */
  name: string;
  space: string;
  /** Attributes without a namespace. */
  attributes: ReadonlyMap<string, string>;
  children: Element[];
  /** Its own text, without that of its children. */
  text: string;
};

export class BadXml extends Error {}

/**
 * Elements of a document and attributes of an element, with declarations of namespaces. Everyone may begin a sign-in and
 * send an answer, and the check of its signatures takes time that grows with the square of both.
 */
const [deepest, mostElements, mostAttributes] = [30, 20_000, 30];
/** Of an answer: room for some hundred groups, which is more than a provider should send of a person. */
const [mostInAnswer, mostAttributesInAnswer] = [500, 2_000];

/** Attributes without a namespace; one with a namespace says nothing that is read here. */
const plainAttributes = (tag: SaxesTagNS) =>
  new Map(
    Object.values(tag.attributes)
      .filter((one): one is SaxesAttributeNS => one.uri === '' && one.prefix === '')
      .map(({ local, value }) => [local, value]),
  );

/**
 * Reads a document. Throws `BadXml` for one with a document type or processing instructions, and where `plain`, with
 * comments or CDATA too: what stands around a comment is one text to some readers and two to others.
 */
export function readXml(text: string, { plain }: { plain: boolean }): Element {
  const parser = new SaxesParser({ xmlns: true });
  const open: Element[] = [];
  let root: Element | undefined;
  let count = 0;
  let attributes = 0;
  const refuse = (what: string) => () => {
    throw new BadXml(what);
  };
  parser.on('doctype', refuse('a document type'));
  parser.on('processinginstruction', refuse('a processing instruction'));
  if (plain) parser.on('comment', refuse('a comment'));
  if (plain) parser.on('cdata', refuse('CDATA'));
  parser.on('opentag', (tag) => {
    count += 1;
    const own = Object.keys(tag.attributes).length;
    attributes += own;
    if (open.length >= deepest || count > mostElements || own > mostAttributes) throw new BadXml('too large');
    if (plain && (count > mostInAnswer || attributes > mostAttributesInAnswer)) throw new BadXml('too large');
    const element: Element = {
      name: tag.local,
      space: tag.uri,
      attributes: plainAttributes(tag),
      children: [],
      text: '',
    };
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  parser.on('text', (piece) => {
    const last = open.at(-1);
    if (last) last.text += piece;
  });
  parser.on('closetag', () => void open.pop());
  try {
    parser.write(text).close();
  } catch (error) {
    throw error instanceof BadXml ? error : new BadXml('no XML', { cause: error });
  }
  if (!root) throw new BadXml('no XML');
  return root;
}

/** The children of an element with this name. */
export const childrenOf = ({ children }: Element, space: keyof typeof namespaces, name: string): Element[] =>
  children.filter((child) => child.name === name && child.space === namespaces[space]);

/** The only child of this name; undefined where there is none or several. */
export function onlyChild(element: Element | undefined, space: keyof typeof namespaces, name: string) {
  const found = element ? childrenOf(element, space, name) : [];
  return found.length === 1 ? found[0] : undefined;
}

/** An element and all below it. */
export function* everyElement(element: Element): Generator<Element> {
  yield element;
  for (const child of element.children) yield* everyElement(child);
}
