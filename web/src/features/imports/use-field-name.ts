import { useTranslations } from 'use-intl';
import type { AnyField } from './fields.ts';

/** Labels of import fields: those of the record field, or their own. */
export function useFieldName(): (field: AnyField) => string {
  const own = useTranslations('importField');
  const people = useTranslations('fields.employee');
  return (field) => {
    const [ofFile, ofPerson] = [field as 'template_name', field as 'email'];
    return own.has(ofFile) ? own(ofFile) : people(ofPerson);
  };
}
