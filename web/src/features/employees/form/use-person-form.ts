import { useEffect, useRef, useState } from 'react';
import type { ApiError } from '../../../api/api-error.ts';
import type { FieldName } from './fields.ts';
import { changedIn, fieldMessages, type Values } from './values.ts';

type Messages = Partial<Record<FieldName, string>>;

export type PersonForm = {
  values: Values;
  errors: Messages;
  dirty: boolean;
  set: (name: FieldName, value: string) => void;
  replace: (values: Values) => void;
  /** Shows the messages of a refusal at their fields and focuses the first one. */
  refuse: (error: ApiError) => Messages;
};

/** The form state of a person's fields, with the service's messages. */
export function usePersonForm(before: Values, start: Values = before): PersonForm {
  const [values, setValues] = useState(start);
  const [errors, setErrors] = useState<Messages>({});
  const [refusals, setRefusals] = useState(0);
  useFocusOn(refusals);
  return {
    values,
    errors,
    dirty: changedIn(before, values).length > 0,
    set: (name, value) => {
      setErrors(({ [name]: _gone, ...others }) => others);
      setValues((old) => {
        // A department belongs to one company, so a change of the company clears it.
        const cascade = name === 'entity_id' && value !== old.entity_id ? { department_id: '' } : {};
        return { ...old, [name]: value, ...cascade };
      });
    },
    replace: (next) => {
      setErrors({});
      setValues(next);
    },
    refuse: (error) => {
      const messages = fieldMessages(error.fieldErrors);
      setErrors(messages);
      if (Object.keys(messages).length > 0) setRefusals((count) => count + 1);
      return messages;
    },
  };
}

/** Focuses the first field with a message after each refusal. */
function useFocusOn(refusals: number): void {
  const seen = useRef(0);
  useEffect(() => {
    if (refusals === seen.current) return;
    const wrong = document.querySelector<HTMLElement>('[data-field] [aria-invalid="true"]');
    // The step with the field may not be rendered yet.
    if (!wrong) return;
    seen.current = refusals;
    wrong.focus();
  });
}
