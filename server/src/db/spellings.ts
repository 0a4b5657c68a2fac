import { fold } from './fold.ts';

const twoLetters: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  æ: 'ae',
  ø: 'oe',
  å: 'aa',
  ß: 'ss',
};

const inTwoLetters = (text: string) =>
  fold(
    text
      .normalize('NFC')
      .toLowerCase()
      .replaceAll(/[äöüæøåß]/g, (letter) => twoLetters[letter] ?? letter),
  );

// folding keeps both letters as they are
const withOneLetter = (texts: readonly string[]) => [
  ...texts.map((text) => text.replaceAll('ss', 'ß')),
  ...texts.map((text) => text.replaceAll('ae', 'æ')),
];

/** The ways in which a folded name may be stored: with its umlauts, as two letters, or without them. */
export function spellingsOf(name: string): string[] {
  const long = inTwoLetters(name);
  const short = long.replaceAll(/([aou])e/g, '$1');
  return [...new Set([fold(name), long, short, ...withOneLetter([long, short])])];
}

const shortest = 5;

/**
 * A folded search word, and the other ways in which a name that contains it may be stored. Two letters mean an umlaut
 * only before another letter of a longer word, so that "Joe" does not find every "Jo", and not in "Bauer" and
 * "Enrique".
 */
export function searchedSpellings(word: string): string[] {
  const long = inTwoLetters(word);
  const short = long.length < shortest ? long : long.replaceAll(/(a|o|(?<![aeq])u)e(?=\p{L})/gu, '$1');
  return [...new Set([fold(word), long, short, ...withOneLetter([long, short])])];
}
