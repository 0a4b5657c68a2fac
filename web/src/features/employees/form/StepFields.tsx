import { Stack } from '@mantine/core';
import { Suspense, useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../../../api/api-error.ts';
import { useSession } from '../../../api/session.tsx';
import { accessErrors, type Access } from './access.ts';
import { FieldGrid } from './FieldGrid.tsx';
import { sections, type Section, type Step } from '../search.ts';
import { fields, isPrivate, type Field } from './fields.ts';
import { CollapsibleSection } from './CollapsibleSection.tsx';
import { useFieldLabel } from './labels.ts';
import { SimilarPeople } from './SimilarPeople.tsx';
import { stepOf } from './steps.ts';
import { hasAddress } from './use-create.ts';
import { useDuplicates } from './use-duplicates.ts';
import type { PersonForm } from './use-person-form.ts';
import { lazyPart } from '../../../ui/lazy-part.ts';

const AccessFields = lazyPart(() => import('./AccessFields.tsx'), 'AccessFields');

type Props = {
  step: Step;
  /** True if the step was reached from another one; it focuses its first field. */
  arrived: boolean;
  form: PersonForm;
  access: Access;
  onAccess: (access: Access) => void;
  error: ApiError | null;
  /** Can a one-time password be created with the person? */
  withPassword: boolean;
};

/** One step of the form for a new person: required fields, and the others by section in folds. */
export function StepFields({ step, arrived, form, access, onAccess, error, withPassword }: Props) {
  const t = useTranslations('person.section');
  const tAdd = useTranslations('addPerson');
  const { can } = useSession();
  const { similar, warned } = useAdvice(form);
  const start = useFocusOnArrival(arrived);
  const shown = fields.filter(
    (field) => stepOf(field) === step && (can('employees.view_sensitive') || !isPrivate(field)),
  );
  const rest = shown.filter(({ primary }) => !primary);
  const aboutAccess = accessErrors(error);
  return (
    <>
      <div ref={start}>
        <FieldGrid fields={shown.filter(({ primary }) => primary)} form={warned} />
      </div>
      {step === 'identity' && <SimilarPeople people={similar} />}
      <Stack gap={8}>
        {sections
          .filter((section) => rest.some((field) => field.section === section))
          .map((section) => (
            <SectionFold key={section} section={section} fields={rest} form={warned} />
          ))}
        {step === 'job' && (withPassword || can('employees.assign_roles')) && (
          <CollapsibleSection title={t('account')} open={Object.keys(aboutAccess).length > 0}>
            {!hasAddress(form.values) && <p className="muted">{tAdd('noSignIn')}</p>}
            <Suspense fallback={null}>
              <AccessFields access={access} onChange={onAccess} errors={aboutAccess} withPassword={withPassword} />
            </Suspense>
          </CollapsibleSection>
        )}
      </Stack>
    </>
  );
}

/** The form with warnings about taken values at their fields, before saving. */
function useAdvice(form: PersonForm) {
  const t = useTranslations('addPerson');
  const taken = useDuplicates(form.values);
  const errors = {
    ...(taken.email && { email: t('emailTaken') }),
    ...(taken.employee_number && { employee_number: t('numberTaken') }),
    ...form.errors,
  };
  return { similar: taken.similar, warned: { ...form, errors } };
}

function useFocusOnArrival(arrived: boolean) {
  const start = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (arrived) start.current?.querySelector<HTMLElement>('input:not([type=hidden])')?.focus();
    // Only on mount.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  return start;
}

function SectionFold({ section, fields: all, form }: { section: Section; fields: readonly Field[]; form: PersonForm }) {
  const t = useTranslations('person.section');
  const tForm = useTranslations('addPerson');
  const inside = all.filter((field) => field.section === section);
  const filled = inside.filter(({ name }) => (form.values[name] ?? '') !== '').length;
  const label = useFieldLabel();
  const wrong = inside.some(({ name }) => form.errors[name] !== undefined);
  return (
    <CollapsibleSection
      title={t(section)}
      note={filled > 0 ? tForm('filledIn', { count: filled }) : inside.map(({ name }) => label(name)).join(', ')}
      open={wrong}
    >
      <FieldGrid fields={inside} form={form} />
    </CollapsibleSection>
  );
}
