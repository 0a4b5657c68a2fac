import type { Plugin } from 'vite';
import type { HelpBlock, HelpText } from '../src/layout/help/blocks.ts';

/** `**bold**` inside a line; everything else is plain text. */
const textOf = (line: string): HelpText =>
  line
    .split(/\*\*([^*]+)\*\*/)
    .flatMap((part, index): HelpText => (part === '' ? [] : index % 2 === 1 ? [{ bold: part }] : [part]));

/**
 * A page of help as plain data: a title, headings, paragraphs and lists. Throws for anything else, so that nothing is
 * shown as it was not meant.
 */
export function helpPage(source: string): { title: string; blocks: HelpBlock[] } {
  const [title, ...parts] = source.trim().split(/\n{2,}/);
  if (!title?.startsWith('# ') || title.includes('\n')) throw new Error('A help page begins with its title.');
  const blocks = parts.map((part): HelpBlock => {
    const lines = part.split('\n');
    if (part.startsWith('## ') && lines.length === 1) return { kind: 'heading', text: textOf(part.slice(3)) };
    if (lines.every((line) => line.startsWith('- ')))
      return { kind: 'list', items: lines.map((line) => textOf(line.slice(2))) };
    if (/^[#>|`<*-]|\]\(/m.test(part.replaceAll('**', ''))) throw new Error(`A help page does not know this: ${part}`);
    return { kind: 'text', text: textOf(lines.join(' ')) };
  });
  return { title: title.slice(2), blocks };
}

/** Makes modules of the pages in `docs/help`, so that the browser needs no Markdown and renders no mark-up. */
export const helpPages = (): Plugin => ({
  name: 'tenure-help-pages',
  enforce: 'pre',
  transform: {
    filter: { id: /[\\/]docs[\\/]help[\\/]\w+[\\/][\w-]+\.md$/ },
    handler: (code) => ({ code: `export default ${JSON.stringify(helpPage(code))};`, map: null }),
  },
});
