import type { Brand, CompanyBrandSettings } from '@tenure/contract';
import { isHex, type Hex } from '@tenure/contract/colour';
import type { Texts } from '../../ui/versions.ts';

export const shownFields = ['name', 'accent'] as const;
export const letterFields = ['letter_address', 'letter_registration', 'letter_footer'] as const;
export type LetterField = (typeof letterFields)[number];
export type BrandField = (typeof shownFields)[number] | LetterField;

/** The colour of Tenure. */
export const ownAccent: Hex = '#0c6b63';

/** Normalises `#ABC` and `ABC123` to `#aabbcc` and `#abc123`; other text is only trimmed. */
export function asHex(text: string): string {
  const digits = text.trim().replace(/^#/, '').toLowerCase();
  if (/^[0-9a-f]{3}$/.test(digits)) return `#${digits.replaceAll(/./g, '$&$&')}`;
  return /^[0-9a-f]{6}$/.test(digits) ? `#${digits}` : text.trim();
}

/** The colour to show for the typed text; the fallback if the text is not a colour. */
export function shownAccent(text: string, fallback: string | null): Hex {
  const typed = asHex(text);
  if (isHex(typed)) return typed;
  return fallback !== null && isHex(fallback) ? fallback : ownAccent;
}

export const textsOf = (settings: Brand | CompanyBrandSettings): Texts => ({
  name: settings.name ?? '',
  accent: settings.accent ?? '',
  ...('company' in settings && Object.fromEntries(letterFields.map((name) => [name, settings[name] ?? '']))),
});

/** The changed fields as a request body; an empty one is null. */
export const bodyOf = (changed: Texts) =>
  Object.fromEntries(
    Object.entries(changed).map(([name, text]) => [name, (name === 'accent' ? asHex(text) : text.trim()) || null]),
  );
