/** A document as blocks from top to bottom, as it goes to the thread that draws it. */
export type Block =
  | { kind: 'title' | 'heading' | 'text' | 'note'; text: string }
  /** Labels and what belongs to them, in two columns. */
  | { kind: 'facts'; rows: (readonly [label: string, value: string])[] }
  /** A name in handwriting, or a drawn picture (PNG), above a line and what is said of it. */
  | { kind: 'signature'; mark: string | Uint8Array; caption: string; note: string }
  | { kind: 'gap' };

export type Sheet = {
  title: string;
  author: string;
  /** BCP 47 */
  language: string;
  /** The country whose ideographs are meant, where a text does not tell. */
  country: string | null;
  /** At the foot of each page; `{page}` and `{pages}` are filled in. */
  footer: string;
  blocks: Block[];
};
