/** The words of a scale as one cell: `Poor | Fair | Good`. A backslash escapes a bar or a backslash within a word. */
export const writeWords = (words: readonly string[]): string =>
  words.map((word) => word.replaceAll(/[\\|]/g, String.raw`\$&`)).join(' | ');

/** The words in such a cell; an empty one means a score without a word. */
export const readWords = (cell: string): string[] =>
  Array.from(`${cell} |`.matchAll(/((?:\\.|[^\\|])*)\|/gsu), ([, word = '']) =>
    word.trim().replaceAll(/\\([\\|])/g, '$1'),
  );
