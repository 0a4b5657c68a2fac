import { text } from '@tenure/contract/texts';
import { SaxesParser } from 'saxes';
import { SheetRefused } from './refusal.ts';

const MAX_DEPTH = 64;
// The parser buffers comments, texts and attributes until they end; this limits the buffer.
const MAX_BYTES_BETWEEN_TAGS = 1024 * 1024;

export interface XmlHandlers {
  /** Names are passed without their namespace prefix; attributes keep theirs. */
  open?: (name: string, attributes: Readonly<Record<string, string>>) => void;
  text?: (text: string) => void;
  close?: (name: string) => void;
}

interface XmlReader {
  write: (chunk: Buffer) => void;
  end: () => void;
}

/** A parser for UTF-8 XML that knows the five built-in entities and no document types. */
export function createXmlReader(on: XmlHandlers): XmlReader {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parser = new SaxesParser({ position: false });
  let depth = 0;
  let bytes_since_tag = 0;
  parser.on('doctype', () => {
    throw new SheetRefused('unsafe', text('files.document_type'));
  });
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding !== undefined && encoding.toLowerCase() !== 'utf-8') throw unreadable();
  });
  parser.on('opentag', (tag) => {
    if (++depth > MAX_DEPTH) throw unreadable();
    bytes_since_tag = 0;
    on.open?.(localName(tag.name), tag.attributes as Record<string, string>);
  });
  parser.on('closetag', (tag) => {
    depth--;
    bytes_since_tag = 0;
    on.close?.(localName(tag.name));
  });
  if (on.text) {
    parser.on('text', on.text);
    parser.on('cdata', on.text);
  }

  return {
    write: (chunk) =>
      refusing(() => {
        bytes_since_tag += chunk.length;
        parser.write(decoder.decode(chunk, { stream: true }));
        if (bytes_since_tag > MAX_BYTES_BETWEEN_TAGS) throw unreadable();
      }),
    end: () => refusing(() => parser.write(decoder.decode()).close()),
  };
}

/** Parses a whole part that is required before the sheet can be read. */
export async function parseXml(chunks: AsyncIterable<Buffer>, on: XmlHandlers): Promise<void> {
  const reader = createXmlReader(on);
  for await (const chunk of chunks) reader.write(chunk);
  reader.end();
}

function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? name : name.slice(colon + 1);
}

function refusing(step: () => void): void {
  try {
    step();
  } catch (error) {
    throw error instanceof SheetRefused ? error : unreadable();
  }
}

function unreadable(): SheetRefused {
  return new SheetRefused('malformed', text('files.not_well_formed'));
}
