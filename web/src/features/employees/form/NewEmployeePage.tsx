import { Group, Stack, Text } from '@mantine/core';
import { entities, type NewcomerOfProvider, type WaitingPerson } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type FormEvent, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { load } from '../../../api/query.ts';
import { useSession } from '../../../api/session.tsx';
import { ForbiddenPage } from '../../../layout/ErrorPages.tsx';
import { paths } from '../../../paths.ts';
import { useRegisterDraft, useStoredDraft } from '../../../ui/drafts.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { LeaveGuard } from '../../../ui/LeaveGuard.tsx';
import { LoadingLines } from '../../../ui/LoadingLines.tsx';
import { NoCompany } from '../../../ui/NoCompany.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import { accessErrors, noAccess, type Access } from './access.ts';
import { fields } from './fields.ts';
import { FormFooter } from './FormFooter.tsx';
import { calledOf, newcomerQuery, triedQuery, valuesOfNewcomer, valuesOfTried } from './newcomer.ts';
import classes from './NewEmployeePage.module.css';
import { StepFields } from './StepFields.tsx';
import { steps, type Step } from '../search.ts';
import { stepOf, stepWithError } from './steps.ts';
import { useCreate, useCreateNewcomer, useCreateTried, type Created, type Creating } from './use-create.ts';
import { usePersonForm, type PersonForm } from './use-person-form.ts';
import type { Values } from './values.ts';
import { ScrollPane } from '../../../ui/ScrollPane.tsx';

const route = getRouteApi('/shell/employees/new');

const usual: Values = { employment_type: 'full_time' };

const OneTimePassword = lazyPart(
  () => import('../../../ui/OneTimePassword.tsx'),
  'OneTimePassword',
  'one-time-password',
);

/** Adds a person in two steps: identity, then job. Optional fields are folded. */
export function NewEmployeePage() {
  const { can } = useSession();
  const { connection, user, provider, tried } = route.useSearch();
  const companies = useQuery({ ...load(entities.list, { query: { per_page: 1 } }), enabled: can('entities.view') });
  if (!can('employees.create')) return <ForbiddenPage />;
  if (companies.isLoading) return <LoadingLines lines={6} />;
  if (companies.data?.meta.total === 0) return <NoCompany page />;
  if (connection !== undefined && user !== undefined) return <OfProvider key={user} {...{ connection, user }} />;
  if (provider !== undefined && tried !== undefined) return <OfTried key={tried} {...{ provider, tried }} />;
  return <Unknown onlyCompany={companies.data?.meta.total === 1 ? companies.data.data[0]?.id : undefined} />;
}

/** A person about whom nothing is known yet. */
function Unknown({ onlyCompany }: { onlyCompany: number | undefined }) {
  const { can } = useSession();
  const create = useCreate();
  const [round, setRound] = useState<{ count: number; values: Values }>({
    count: 0,
    values: { ...usual, ...(onlyCompany !== undefined && { entity_id: String(onlyCompany) }) },
  });
  // The form of the next person starts empty, except for company and department.
  return (
    <NewEmployee
      key={round.count}
      start={round.values}
      create={create}
      withPassword={can('employees.reset_password')}
      onAnother={({ entity_id = '', department_id = '' }) =>
        setRound(({ count }) => ({ count: count + 1, values: { ...usual, entity_id, department_id } }))
      }
    />
  );
}

/** A user added by an identity provider, whose data the form starts with. */
function OfProvider({ connection, user }: { connection: number; user: string }) {
  const query = useQuery(newcomerQuery(connection, user));
  // after saving, a refetch no longer finds the user, but the form is still open
  if (query.data) return <Newcomer user={query.data.data} />;
  if (query.isError) return <ErrorState page error={query.error} onRetry={() => void query.refetch()} />;
  return <LoadingLines lines={6} />;
}

function Newcomer({ user }: { user: NewcomerOfProvider }) {
  const t = useTranslations('addPerson');
  const create = useCreateNewcomer(user);
  const names = { name: calledOf(user), connection: user.connection.name };
  const about = [t('newcomer', names), ...(user.is_active ? [] : [t('newcomerOff', names)])].join(' ');
  return (
    <NewEmployee
      start={{ ...usual, ...valuesOfNewcomer(user) }}
      create={create}
      newcomer={{ place: `employees.new.${user.id}`, about }}
    />
  );
}

/** A person who tried to sign in through a provider, with whose claims the form starts. */
function OfTried({ provider, tried }: { provider: number; tried: number }) {
  const query = useQuery(triedQuery(provider, tried));
  if (query.data) return <Tried person={query.data.data} />;
  if (query.isError) return <ErrorState page error={query.error} onRetry={() => void query.refetch()} />;
  return <LoadingLines lines={6} />;
}

function Tried({ person }: { person: WaitingPerson }) {
  const t = useTranslations('addPerson');
  const create = useCreateTried(person);
  const { name, email, subject, provider } = person;
  const about = t('tried', { name: name ?? email ?? subject, provider: provider.name });
  return (
    <NewEmployee
      start={{ ...usual, ...valuesOfTried(person) }}
      create={create}
      newcomer={{ place: `employees.new.tried.${person.id}`, about }}
    />
  );
}

/** For a person known to an identity provider: where the draft is kept, and what saving does. */
type Newcoming = { place: string; about: string };

type Draft = { values: Values; access: Access };
type Props = {
  start: Values;
  create: Creating;
  newcomer?: Newcoming;
  withPassword?: boolean;
  /** Absent if there is no next person. */
  onAnother?: (values: Values) => void;
};

function NewEmployee({ start, create, newcomer, withPassword = false, onAnother }: Props) {
  const t = useTranslations('addPerson');
  const { form, access, setAccess, dirty, isKept } = useNewPerson(start, newcomer);
  const { step, toStep, arrived } = useSteps();
  const goOn = useGoOn(() => onAnother?.(form.values));
  const { save, issued, error, isPending } = useSave({ create, form, access, step, toStep, goOn });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (step === 'identity') toStep('job');
    else save(false);
  };
  return (
    <>
      <PageHeader title={t('title')} lead={newcomer ? undefined : t('lead')} />
      <Steps step={step} form={form} onStep={toStep} />
      <ScrollPane line>
        <form noValidate onSubmit={submit}>
          <Stack gap={20} maw="50rem" px="gutter" pt={20}>
            {isKept && <Notice kind="history">{t('kept')}</Notice>}
            {newcomer && <Notice>{newcomer.about}</Notice>}
            <ErrorNotice error={error} fields={[...Object.keys(form.errors), ...Object.keys(accessErrors(error))]} />
            <StepFields key={step} {...{ step, arrived, form, access, error, withPassword }} onAccess={setAccess} />
            <FormFooter
              step={step}
              isPending={isPending}
              cancel={newcomer ? paths.peopleWaiting : paths.employees}
              onBack={() => toStep('identity')}
              onAnother={onAnother && (() => save(true))}
            />
          </Stack>
        </form>
      </ScrollPane>
      {issued && (
        <Suspense>
          <OneTimePassword issued={issued.password} onClose={() => goOn(issued, issued.another)} />
        </Suspense>
      )}
      <LeaveGuard when={dirty && !issued} within={({ pathname }) => pathname === paths.newEmployee} />
    </>
  );
}

/** The step in the address; a step reached from another one focuses its first field. */
function useSteps() {
  const { step = 'identity' } = route.useSearch();
  const navigate = route.useNavigate();
  const [arrived, setArrived] = useState(false);
  const toStep = (next: Step) => {
    setArrived(true);
    void navigate({ search: (old) => ({ ...old, step: next }) });
  };
  return { step, toStep, arrived };
}

type Saving = {
  create: Creating;
  form: PersonForm;
  access: Access;
  step: Step;
  toStep: (step: Step) => void;
  goOn: (person: Created, another: boolean) => void;
};

/** Adds the person. A one-time password is shown first; a refusal opens the step of its field. */
function useSave({ create, form, access, step, toStep, goOn }: Saving) {
  const [issued, setIssued] = useState<Created & { another: boolean }>();
  const save = (another: boolean) =>
    create.send(form.values, access, {
      onDone: (person) => (person.password ? setIssued({ ...person, another }) : goOn(person, another)),
      onRefused: (error) => {
        const wrong = stepWithError(form.refuse(error));
        if (wrong && wrong !== step) toStep(wrong);
      },
    });
  return { save, issued, error: create.error, isPending: create.isPending };
}

/** The input about the new person, kept as a draft when the session ends. */
function useNewPerson(start: Values, newcomer?: Newcoming) {
  const { user } = useSession();
  const place = newcomer?.place ?? 'employees.new';
  const kept = useStoredDraft<Draft>(place, user?.id);
  const form = usePersonForm(start, kept?.values);
  const [access, setAccess] = useState(kept?.access ?? noAccess);
  const dirty = form.dirty || access.password || access.roles.length > 0;
  useRegisterDraft(place, () => (dirty ? ({ values: form.values, access } satisfies Draft) : undefined));
  return { form, access, setAccess, dirty, isKept: kept !== undefined };
}

/** Confirms that the person was added, then opens the next form or the new record. */
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

function Steps({ step, form, onStep }: { step: Step; form: PersonForm; onStep: (step: Step) => void }) {
  const t = useTranslations('addPerson');
  const wrong = new Set(fields.filter(({ name }) => form.errors[name] !== undefined).map(stepOf));
  return (
    <Group gap="4px 20px" px="gutter" pb={14} aria-label={t('steps')} renderRoot={(props) => <ol {...props} />}>
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
            {wrong.has(one) && (
              <Text span c="var(--danger)" size="sm">
                {t('hasErrors')}
              </Text>
            )}
          </button>
        </li>
      ))}
    </Group>
  );
}
