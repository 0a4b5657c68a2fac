import { fieldsShownBy } from '@tenure/contract';
import { useTranslations } from 'use-intl';

const shown: Readonly<Record<string, readonly string[]>> = fieldsShownBy;

/** The labels of the fields that a permission shows; none for a permission that shows no fields of its own. */
export function usePermissionContents(): (permission: { name: string }) => string[] {
  const t = useTranslations('fields.employee');
  return ({ name }) => {
    const labels = (shown[name] ?? []).filter((field) => t.has(field as 'email')).map((field) => t(field as 'email'));
    return [...new Set(labels)];
  };
}
