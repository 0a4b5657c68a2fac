import { useTranslations } from 'use-intl';

/** `employment_type` as words, for what has no text of its own. */
const spaced = (name: string) => name.replace(/[_-]/g, ' ');

/** What entries of the audit log call actions (`employee.created`) and fields, in the language of the page. */
export function useAuditWords() {
  const t = useTranslations('audit');
  return {
    action: (name: string) => {
      const verb = name.split('.').at(-1) as 'created';
      return t.has(`verb.${verb}`) ? t(`verb.${verb}`) : spaced(verb);
    },
    field: (name: string) => {
      const field = name as 'email';
      return t.has(`field.${field}`) ? t(`field.${field}`) : spaced(name);
    },
  };
}
