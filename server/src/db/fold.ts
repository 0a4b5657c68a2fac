const letters: Readonly<Record<string, string>> = { ø: 'o', ł: 'l', đ: 'd', ħ: 'h', ı: 'i', þ: 'p' };

// most texts are plain, and what is below costs ten times as much
const plain = /^[\x20-\x7e]*$/;

/** Letters without case and accents: what the database's function of this name makes of a text. */
export const fold = (text: string): string => (plain.test(text) ? text.toLowerCase() : folded(text));

const folded = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/[øłđħıþ]/g, (letter) => letters[letter] ?? letter);
