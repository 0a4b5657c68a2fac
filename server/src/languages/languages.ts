import type { Text } from '@tenure/contract';
import { readCatalogues } from './catalogue.ts';
import { sayIn } from './render.ts';
import type { Say } from './render.ts';

const catalogues = readCatalogues();

/** The id of a language, which is the name of its folder. */
type LanguageId = string;

const voices = new Map<LanguageId, Say>([...catalogues].map(([id, catalogue]) => [id, sayIn(catalogue)]));
const english = voices.get('en') as Say;

/** The sentence of a text in a language; in English for what is not shipped. */
export const render = (language: LanguageId, text: Text): string => (voices.get(language) ?? english)(text);
/** For log and errors, which are English. */
export const inEnglish = (text: Text): string => english(text);
