import type { LanguageId } from '../../../languages/catalogue.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import type { LetterTexts } from './en.ts';

/** The texts of letters in each available language. */
export const letterTexts: Record<LanguageId, LetterTexts> = { en, de };

/** The date format; British English, because its month names are unambiguous. */
export const localeOf: Record<LanguageId, string> = { en: 'en-GB', de: 'de' };
