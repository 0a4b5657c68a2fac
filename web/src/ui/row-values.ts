import type { FieldRow } from '@tenure/contract';
import { useLocale, useTranslations } from 'use-intl';
import { languageName } from '../locales/locales.ts';
import { countryName } from './countries.ts';

/** A field of a company or department, as plain data of the contract. */
export type Row = FieldRow & {
  max?: number;
  values?: readonly string[];
  unit?: 'months' | 'days';
  to?: 'company' | 'department' | 'person';
};

export type Presence = { required?: true | undefined; filledIn?: true | undefined; made?: true | undefined };

/** May a stored record have no value? */
export const mayBeEmpty = ({ required, filledIn, made }: Presence): boolean => !required && !filledIn && !made;

/** A value of a record as form text; an unset flag is empty. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || value === true ? String(value) : '';

/** A form text as the value of a request. */
export function valueOf({ kind, required, filledIn }: Row, text: string): string | number | boolean | null {
  if (kind === 'flag') return text === 'true';
  if (text === '' && !required && !filledIn) return null;
  // Text that is not a number is sent as it is, so that the service reports it at the field.
  if (kind === 'integer' || kind === 'reference') return /^\d+$/.test(text) ? Number(text) : text;
  return kind === 'code' || kind === 'country' ? text.toUpperCase() : text;
}

type Labels = { (key: never): string; has: (key: never) => boolean };

/** The label of a choice's value is the text `<field>_<value>` beside the label of the field. */
export function labelOfValue(labels: Labels, name: string, value: string): string {
  const key = `${name}_${value}` as never;
  return labels.has(key) ? labels(key) : value;
}

/** Formats values: choices by their labels, a set flag as "yes"; others stay. */
export function useValueText(
  labels: Labels,
): (name: string, row: Row, value: string | number | boolean | null) => string | null {
  const t = useTranslations('form');
  const locale = useLocale();
  return (name, { kind }, value) => {
    if (kind === 'flag') return textOf(value) === '' ? null : t('yes');
    const text = textOf(value);
    if (kind === 'language') return languageName(text);
    if (kind === 'country') return countryName(locale, text);
    return kind === 'choice' && text !== '' ? labelOfValue(labels, name, text) : text;
  };
}
