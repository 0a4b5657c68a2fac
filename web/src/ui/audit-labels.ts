import { useTranslations } from 'use-intl';

/** `employment_type` as words, for names without a label. */
const spaced = (name: string) => name.replace(/[_-]/g, ' ');

/** Labels of the audit log's actions (`employee.created`) and fields. */
export function useAuditLabels() {
  const t = useTranslations('audit');
  const people = useTranslations('fields.employee');
  const companies = useTranslations('fields.entity');
  const departments = useTranslations('fields.department');
  const labelOf = (name: string, record: string): string | undefined => {
    const [own, ofPerson] = [name as 'code', name as 'email'];
    if (record === 'entity' && companies.has(own)) return companies(own);
    if (record === 'department' && departments.has(own)) return departments(own);
    return people.has(ofPerson) ? people(ofPerson) : undefined;
  };
  return {
    action: (name: string) => {
      const verb = name.slice(name.indexOf('.') + 1) as 'created';
      return t.has(`verb.${verb}`) ? t(`verb.${verb}`) : spaced(verb);
    },
    /** `record` is the type of the entry's subject. */
    field: (name: string, record = 'employee') => {
      const field = name as 'name';
      return labelOf(name, record) ?? (t.has(`field.${field}`) ? t(`field.${field}`) : spaced(name));
    },
  };
}
