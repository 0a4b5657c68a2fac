import type { LanguageId } from '../../../languages/accept.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import type { LetterTexts } from './en.ts';

/** What letters say in each language on offer. */
export const letterTexts: Record<LanguageId, LetterTexts> = { en, de };

/** How days are written; British English, because its months are words in every place. */
export const localeOf: Record<LanguageId, string> = { en: 'en-GB', de: 'de' };
