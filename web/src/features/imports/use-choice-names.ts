import { useTranslations } from 'use-intl';

/** The labels of a person's fixed choices; undefined for a value that is not one. Needs the part `person`. */
export function useChoiceNames(): (field: string, value: string) => string | undefined {
  const names = {
    gender: useTranslations('gender'),
    marital_status: useTranslations('maritalStatus'),
    employment_type: useTranslations('employmentType'),
    employment_lifecycle: useTranslations('lifecycle'),
    activity_status: useTranslations('activityStatus'),
  } as Record<string, { (value: never): string; has: (value: never) => boolean }>;
  return (field, value) => {
    const named = names[field];
    return named?.has(value as never) ? named(value as never) : undefined;
  };
}
