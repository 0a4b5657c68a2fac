import { useTranslations } from 'use-intl';

/** `employment_type` as words, for what has no text of its own. */
const spaced = (name: string) => name.replace(/[_-]/g, ' ');

/** What entries of the audit log call actions (`employee.created`) and fields, in the language of the page. */
export function useAuditWords() {
  const t = useTranslations('audit');
  const people = useTranslations('fields.employee');
  return {
    action: (name: string) => {
      const verb = name.split('.').at(-1) as 'created';
      return t.has(`verb.${verb}`) ? t(`verb.${verb}`) : spaced(verb);
    },
    field: (name: string) => {
      const [field, own] = [name as 'name', name as 'email'];
      if (people.has(own)) return people(own);
      return t.has(`field.${field}`) ? t(`field.${field}`) : spaced(name);
    },
  };
}
