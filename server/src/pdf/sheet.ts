/** The header of a letter: the logo beside name and address, above a line in the company's colour. */
export type Head = {
  name: string;
  /** Several lines. */
  address: string | null;
  /** PNG, and its size in pixels. */
  logo: { bytes: Uint8Array; width: number; height: number } | null;
  /** `#rrggbb` */
  accent: string | null;
};

/** A document as blocks from top to bottom, as sent to the drawing thread. */
export type Block =
  | { kind: 'title' | 'heading' | 'text' | 'note'; text: string }
  /** Labels and their values in two columns. */
  | { kind: 'descriptions'; rows: (readonly [label: string, value: string])[] }
  /** A table whose columns share the width in these proportions. The header row is repeated on each page. */
  | { kind: 'table'; shares: number[]; head: string[]; rows: string[][] }
  /** A typed name in handwriting or a drawn picture (PNG), above a line with a caption and a note. */
  | { kind: 'signature'; mark: string | Uint8Array; caption: string; note: string }
  | { kind: 'gap' };

export type Sheet = {
  title: string;
  author: string;
  /** BCP 47 */
  language: string;
  /** The country whose form of ideographs is used if the text does not decide. */
  country: string | null;
  head?: Head;
  /** The footer of each page; `{page}` and `{pages}` are filled in. */
  footer: string;
  /** Lines above the footer of each page, such as the company's registration. */
  foot?: string[];
  blocks: Block[];
};
