const letters: Readonly<Record<string, string>> = { ø: 'o', ł: 'l', đ: 'd', ħ: 'h', ı: 'i', þ: 'p' };

// most texts are plain ASCII, and the code below costs ten times as much
const plain = /^[\x20-\x7e]*$/;

/** Removes case and accents, like the database function of the same name. */
export const fold = (text: string): string => (plain.test(text) ? text.toLowerCase() : folded(text));

const folded = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/[øłđħıþ]/g, (letter) => letters[letter] ?? letter);
