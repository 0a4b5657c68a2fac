export type HelpText = (string | { bold: string })[];
/** A part of a help page. */
export type HelpBlock = { kind: 'heading' | 'text'; text: HelpText } | { kind: 'list'; items: HelpText[] };
export type HelpPage = { title: string; blocks: HelpBlock[] };
