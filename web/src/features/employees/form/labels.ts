import { useTranslations } from 'use-intl';
import { labelOfValue } from '../../../ui/row-values.ts';
import { choices, type ChoiceField, type ChoiceOf, type FieldName } from './fields.ts';

type Key<N extends string> = N extends `${infer Owner}.${infer Inner}` ? `${Owner}_${Inner}` : N;

/** Labels of fields. */
export function useFieldLabel(): (name: FieldName) => string {
  const t = useTranslations('fields.employee');
  return (name) => {
    const key = name.replace('.', '_') as Key<FieldName>;
    return t(key);
  };
}

type Gender = ChoiceOf<'gender'>;
type MaritalStatus = ChoiceOf<'marital_status'>;
type EmploymentType = ChoiceOf<'employment_type'>;
type Lifecycle = ChoiceOf<'employment_lifecycle'>;
type Activity = ChoiceOf<'activity_status'>;

/** Labels of the values of choices. */
export function useChoiceLabel(): (name: FieldName, value: string) => string {
  const labels = useTranslations('fields.employee');
  const gender = useTranslations('gender');
  const marital = useTranslations('maritalStatus');
  const kind = useTranslations('employmentType');
  const lifecycle = useTranslations('lifecycle');
  const activity = useTranslations('activityStatus');
  return (name, value) => {
    if (name in choices && !(choices[name as ChoiceField] as readonly string[]).includes(value)) return value;
    switch (name) {
      case 'gender':
        return gender(value as Gender);
      case 'marital_status':
        return marital(value as MaritalStatus);
      case 'employment_type':
        return kind(value as EmploymentType);
      case 'employment_lifecycle':
        return lifecycle(value as Lifecycle);
      case 'activity_status':
        return activity(value as Activity);
      default:
        return labelOfValue(labels, name, value);
    }
  };
}
