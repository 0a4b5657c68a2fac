/** The words of a scale as one cell: `Poor | Fair | Good`. A bar or a backslash within a word gets a backslash. */
export const writeWords = (words: readonly string[]): string =>
  words.map((word) => word.replaceAll(/[\\|]/g, String.raw`\$&`)).join(' | ');

/** The words of such a cell; a blank one is a score without a word. */
export const readWords = (cell: string): string[] =>
  Array.from(`${cell} |`.matchAll(/((?:\\.|[^\\|])*)\|/gsu), ([, word = '']) =>
    word.trim().replaceAll(/\\([\\|])/g, '$1'),
  );
