import { SaxesParser } from 'saxes';
import type { SaxesAttributeNS, SaxesTagNS } from 'saxes';

/** Parses SAML documents strictly: unknown constructs are refused, not skipped. */

export const namespaces = {
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
} as const;

export type Element = {
  /** The name without its prefix, and the namespace of the prefix. */
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
 * Limits for the elements of a document and the attributes and namespaces of an element. Anyone may begin a sign-in and
 * send an answer, and verifying its signatures takes time that grows quadratically with both.
 */
const [deepest, maxElements, maxAttributes] = [30, 20_000, 30];
/** Limits for an answer: enough for some hundred groups, more than a provider should send about a person. */
const [maxInAnswer, maxAttributesInAnswer] = [500, 2_000];

/** Attributes without a namespace; those with one are not used here. */
const plainAttributes = (tag: SaxesTagNS) =>
  new Map(
    Object.values(tag.attributes)
      .filter((one): one is SaxesAttributeNS => one.uri === '' && one.prefix === '')
      .map(({ local, value }) => [local, value]),
  );

/**
 * Parses a document. Throws `BadXml` if it has a document type or processing instructions; with `plain`, also for
 * comments or CDATA, because some readers see the text around a comment as one and others as two.
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
    if (open.length >= deepest || count > maxElements || own > maxAttributes) throw new BadXml('too large');
    if (plain && (count > maxInAnswer || attributes > maxAttributesInAnswer)) throw new BadXml('too large');
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

/** The only child with this name; undefined if there is none or several. */
export function onlyChild(element: Element | undefined, space: keyof typeof namespaces, name: string) {
  const found = element ? childrenOf(element, space, name) : [];
  return found.length === 1 ? found[0] : undefined;
}

/** An element and all its descendants. */
export function* everyElement(element: Element): Generator<Element> {
  yield element;
  for (const child of element.children) yield* everyElement(child);
}
