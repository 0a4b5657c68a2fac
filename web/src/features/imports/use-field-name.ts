import { createContext, use } from 'react';
import { useTranslations } from 'use-intl';
import type { AnyField } from './fields.ts';

/** The page's own labels for its kind of import; undefined for other fields. */
export const KindFieldNames = createContext<(field: AnyField) => string | undefined>(() => undefined);

/** Labels of import fields: those of the kind, of the record field, or their own. */
export function useFieldName(): (field: AnyField) => string {
  const ofKind = use(KindFieldNames);
  const own = useTranslations('importField');
  const people = useTranslations('fields.employee');
  return (field) => {
    const [ofFile, ofPerson] = [field as 'entity_id', field as 'email'];
    return ofKind(field) ?? (own.has(ofFile) ? own(ofFile) : people(ofPerson));
  };
}
