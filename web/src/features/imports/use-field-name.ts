import { useTranslations } from 'use-intl';
import type { AnyField } from './fields.ts';

/** Names the columns a file may have: as the field of a record is called, or in words of their own. */
export function useFieldName(): (field: AnyField) => string {
  const own = useTranslations('importField');
  const people = useTranslations('fields.employee');
  return (field) => {
    const [ofFile, ofPerson] = [field as 'template_name', field as 'email'];
    return own.has(ofFile) ? own(ofFile) : people(ofPerson);
  };
}
