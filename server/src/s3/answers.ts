import { SaxesParser } from 'saxes';

/** An entry of a listing: an object, or a folder that contains some. */
export type Listed = { key: string; size: number; changedAt: number };
export type Listing = { objects: Listed[]; folders: string[]; next: string | undefined };

/** The texts of all elements without children, in document order, each with its path of names. */
function leaves(xml: string): [path: string, text: string][] {
  const found: [string, string][] = [];
  const names: string[] = [];
  let text = '';
  const parser = new SaxesParser();
  parser.on('opentag', ({ name }) => {
    names.push(name);
    text = '';
  });
  parser.on('text', (piece) => (text += piece));
  parser.on('closetag', () => {
    found.push([names.join('/'), text]);
    names.pop();
    text = '';
  });
  parser.write(xml).close();
  return found;
}

/** Parses an answer of ListObjectsV2. Throws if it is not XML. */
export function readListing(xml: string): Listing {
  const listing: Listing = { objects: [], folders: [], next: undefined };
  let object: Listed = { key: '', size: 0, changedAt: 0 };
  for (const [path, text] of leaves(xml)) {
    const name = path.replace('ListBucketResult/', '');
    if (name === 'Contents/Key') object.key = text;
    if (name === 'Contents/Size') object.size = Number(text);
    if (name === 'Contents/LastModified') object.changedAt = Date.parse(text);
    if (name === 'Contents') {
      listing.objects.push(object);
      object = { key: '', size: 0, changedAt: 0 };
    }
    if (name === 'CommonPrefixes/Prefix') listing.folders.push(text);
    if (name === 'NextContinuationToken') listing.next = text;
  }
  return listing;
}

/** The code and message of a refusal, if its body has them. */
export function readRefusal(body: string): { code?: string; message?: string } {
  try {
    const all = new Map(leaves(body));
    const [code, message] = [all.get('Error/Code'), all.get('Error/Message')];
    return { ...(code && { code }), ...(message && { message }) };
  } catch {
    // from a proxy in between
    return {};
  }
}
