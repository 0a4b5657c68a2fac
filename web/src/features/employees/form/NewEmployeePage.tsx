import { Button } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSession } from '../../../api/session.tsx';
import { paths } from '../../../paths.ts';
import { useDraftKeeper, useKeptDraft } from '../../../ui/drafts.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { LeaveGuard } from '../../../ui/LeaveGuard.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { OneTimePassword } from '../../../ui/OneTimePassword.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import { ApiError } from '../../../api/api-error.ts';
import { noAccess, type Access } from './access.ts';
import { fields } from './fields.ts';
import classes from './form.module.css';
import { StepFields } from './StepFields.tsx';
import { steps, type Step } from '../search.ts';
import { stepOf, stepWithError } from './steps.ts';
import { useCreate, type Created } from './use-create.ts';
import { usePersonForm, type PersonForm } from './use-person-form.ts';
import type { Values } from './values.ts';

const route = getRouteApi('/shell/employees/new');

const usual: Values = { employment_type: 'full_time' };

/** Adds a person: who they are, then what they do; everything that may wait is folded away. */
export function NewEmployeePage() {
  const { can } = useSession();
  const [round, setRound] = useState<{ count: number; values: Values }>({ count: 0, values: usual });
  if (!can('employees.create'))
    return <ErrorState page error={new ApiError(403, { message: '' })} onRetry={() => {}} />;
  // A form for the next person begins anew, in the same company and department.
  return (
    <NewEmployee
      key={round.count}
      start={round.values}
      onAnother={({ entity_id = '', department_id = '' }) =>
        setRound(({ count }) => ({ count: count + 1, values: { ...usual, entity_id, department_id } }))
      }
    />
  );
}

type Draft = { values: Values; access: Access };
type Props = { start: Values; onAnother: (values: Values) => void };

function NewEmployee({ start, onAnother }: Props) {
  const t = useTranslations('addPerson');
  const { step = 'identity' } = route.useSearch();
  const navigate = route.useNavigate();
  const { form, access, setAccess, dirty, isKept } = useNewPerson(start);
  const create = useCreate();
  const [issued, setIssued] = useState<Created & { another: boolean }>();
  const [arrived, setArrived] = useState(false);
  const toStep = (next: Step) => {
    setArrived(true);
    void navigate({ search: { step: next } });
  };
  const goOn = useGoOn(() => onAnother(form.values));
  const save = (another: boolean) =>
    create.send(form.values, access, {
      onDone: (person) => (person.password ? setIssued({ ...person, another }) : goOn(person, another)),
      onRefused: (error) => {
        const wrong = stepWithError(form.refuse(error));
        if (wrong && wrong !== step) toStep(wrong);
      },
    });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (step === 'identity') toStep('job');
    else save(false);
  };
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      <Steps step={step} form={form} onStep={toStep} />
      <div className={classes['page']}>
        <form className={classes['sheet']} noValidate onSubmit={submit}>
          {isKept && <Notice kind="history">{t('kept')}</Notice>}
          <ErrorNotice error={create.error} fields={Object.keys(form.errors)} />
          <StepFields
            key={step}
            step={step}
            arrived={arrived}
            form={form}
            access={access}
            onAccess={setAccess}
            error={create.error}
          />
          <Foot
            step={step}
            isPending={create.isPending}
            onBack={() => toStep('identity')}
            onAnother={() => save(true)}
          />
        </form>
      </div>
      <OneTimePassword issued={issued?.password} onClose={() => issued && goOn(issued, issued.another)} />
      <LeaveGuard when={dirty && !issued} within={({ pathname }) => pathname === paths.newEmployee} />
    </>
  );
}

/** What is entered about the person, kept when a session ends. */
function useNewPerson(start: Values) {
  const { user } = useSession();
  const kept = useKeptDraft<Draft>('employees.new', user?.id);
  const form = usePersonForm(start, kept?.values);
  const [access, setAccess] = useState(kept?.access ?? noAccess);
  const dirty = form.dirty || access.password || access.roles.length > 0;
  useDraftKeeper('employees.new', () => (dirty ? ({ values: form.values, access } satisfies Draft) : undefined));
  return { form, access, setAccess, dirty, isKept: kept !== undefined };
}

/** Says that a person was added, and goes on to the next one or to their record. */
function useGoOn(onAnother: () => void) {
  const t = useTranslations('addPerson');
  const navigate = route.useNavigate();
  const toast = useToast();
  return (person: Created, another: boolean) => {
    toast({ text: [t('added', { name: person.name }), ...person.warnings].join(' ') });
    if (another) {
      onAnother();
      void navigate({ search: {}, ignoreBlocker: true });
    } else {
      void navigate({ to: paths.employee, params: { id: String(person.id) }, ignoreBlocker: true });
    }
  };
}

type FootProps = { step: Step; isPending: boolean; onBack: () => void; onAnother: () => void };

function Foot({ step, isPending, onBack, onAnother }: FootProps) {
  const t = useTranslations('addPerson');
  return (
    <div className={classes['bar']} data-foot>
      <Button component={Link} to={paths.employees} variant="subtle">
        {t('cancel')}
      </Button>
      {step === 'identity' ? (
        <Button type="submit">{t('next')}</Button>
      ) : (
        <>
          <Button variant="default" onClick={onBack}>
            {t('back')}
          </Button>
          <Button variant="default" disabled={isPending} onClick={onAnother}>
            {t('saveAndAnother')}
          </Button>
          <Button type="submit" loading={isPending}>
            {t('save')}
          </Button>
        </>
      )}
    </div>
  );
}

function Steps({ step, form, onStep }: { step: Step; form: PersonForm; onStep: (step: Step) => void }) {
  const t = useTranslations('addPerson');
  const wrong = new Set(fields.filter(({ name }) => form.errors[name] !== undefined).map(stepOf));
  return (
    <ol className={classes['steps']} aria-label={t('steps')}>
      {steps.map((one, index) => (
        <li key={one}>
          <button
            type="button"
            className={classes['step']}
            aria-current={one === step ? 'step' : undefined}
            onClick={() => onStep(one)}
          >
            <span className={classes['number']} aria-hidden>
              {index + 1}
            </span>
            {t(`step.${one}`)}
            {wrong.has(one) && <span className={classes['error']}>{t('hasErrors')}</span>}
          </button>
        </li>
      ))}
    </ol>
  );
}
