import type { Employee } from '@tenure/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { paths } from '../../../paths.ts';
import { Day, Moment } from '../../../ui/Dates.tsx';
import { Facts, type Fact } from '../../../ui/Facts.tsx';
import classes from './profile.module.css';

/** Everything the reader may see; what is absent from the record was kept from them and is not mentioned. */
export const Overview = ({ employee }: { employee: Employee }) => (
  <div className={classes['sections']}>
    <Contact employee={employee} />
    <Work employee={employee} />
    <Employment employee={employee} />
    <Personal employee={employee} />
    <Bank employee={employee} />
    <Account employee={employee} />
  </div>
);

type Section = { employee: Employee };

/** Null and empty show a dash, undefined shows nothing. */
function fact<T>(label: string, value: T | null | undefined, show?: (value: T) => ReactNode): Fact | false {
  if (value === undefined) return false;
  if (value === null || value === '') return { label, value: null };
  return { label, value: show ? show(value) : <bdi>{String(value)}</bdi> };
}

const day = (value: string) => <Day value={value} />;

function Contact({ employee }: Section) {
  const t = useTranslations('profile.field');
  const facts = [
    fact(t('email'), employee.email, (email) => <a href={`mailto:${email}`}>{email}</a>),
    fact(t('phone'), employee.phone),
    fact(t('mobile'), employee.mobile),
    fact(t('personal_email'), employee.personal_email),
    fact(t('address'), employee.address, lines),
    fact(t('emergency_contact'), employee.emergency_contact, lines),
  ];
  return <Facts title={useTranslations('profile')('section.contact')} facts={facts} />;
}

/** The parts of an address or of a contact that are filled in, one a line. */
const lines = (parts: Record<string, string | null | undefined>) =>
  Object.entries(parts)
    .filter(([, text]) => text)
    .map(([key, text]) => <div key={key}>{text}</div>);

function Work({ employee }: Section) {
  const t = useTranslations('profile.field');
  const kinds = useTranslations('employmentType');
  const { reporting_manager: manager } = employee;
  const facts = [
    fact(t('employee_number'), employee.employee_number),
    fact(t('entity'), employee.entity.name),
    fact(t('department'), employee.department.name),
    fact(t('job_title'), employee.job_title),
    fact(t('reporting_manager'), manager, ({ id, name }) => (
      <Link to={paths.employee} params={{ id: String(id) }}>
        {name}
      </Link>
    )),
    fact(t('grade'), employee.grade),
    fact(t('employment_type'), employee.employment_type, (kind) => kinds(kind)),
    fact(t('joining_date'), employee.joining_date, day),
  ];
  return <Facts title={useTranslations('profile')('section.work')} facts={facts} />;
}

function Employment({ employee }: Section) {
  const t = useTranslations('profile.field');
  const lifecycle = useTranslations('lifecycle');
  const onProbation = employee.employment_lifecycle === 'probationary';
  const leaving = employee.notice_date || employee.last_working_date || employee.separation_reason;
  const facts = [
    fact(t('employment_lifecycle'), employee.employment_lifecycle, (state) => lifecycle(state)),
    (onProbation || !!employee.probation_start_date) &&
      fact(t('probation_start_date'), employee.probation_start_date, day),
    (onProbation || !!employee.probation_end_date) && fact(t('probation_end_date'), employee.probation_end_date, day),
    !!employee.extension_count && fact(t('extension_count'), employee.extension_count),
    !onProbation && fact(t('confirmation_date'), employee.confirmation_date, day),
    !!leaving && fact(t('notice_date'), employee.notice_date, day),
    !!leaving && fact(t('last_working_date'), employee.last_working_date, day),
    !!leaving && fact(t('separation_reason'), employee.separation_reason),
  ];
  return <Facts title={useTranslations('profile')('section.employment')} facts={facts} />;
}

function Personal({ employee }: Section) {
  const t = useTranslations('profile.field');
  const genders = useTranslations('gender');
  const marital = useTranslations('maritalStatus');
  const facts = [
    fact(t('date_of_birth'), employee.date_of_birth, day),
    fact(t('gender'), employee.gender, (value) => genders(value)),
    fact(t('marital_status'), employee.marital_status, (value) => marital(value)),
    fact(t('nationality'), employee.nationality),
  ];
  return <Facts title={useTranslations('profile')('section.personal')} facts={facts} />;
}

function Bank({ employee: { bank } }: Section) {
  const t = useTranslations('profile.field');
  const title = useTranslations('profile')('section.bank');
  if (!bank) return null;
  const facts = [
    fact(t('bank_name'), bank.bank_name),
    fact(t('branch'), bank.branch),
    fact(t('account_title'), bank.account_title),
    fact(t('account_number'), bank.account_number),
    fact(t('iban'), bank.iban),
  ];
  return <Facts title={title} facts={facts} />;
}

function Account({ employee: { roles, user } }: Section) {
  const t = useTranslations('profile');
  const facts = [
    fact(t('field.roles'), roles, (held) => held.map(({ name }) => name).join(', ')),
    fact(t('field.account'), user && passwordState(user), (state) => t(`account.${state}`)),
    fact(t('field.last_login_at'), user?.last_login_at, (at) => <Moment value={at} />),
  ];
  return <Facts title={t('section.account')} facts={facts} />;
}

function passwordState(user: NonNullable<Employee['user']>): 'oneTime' | 'active' | 'none' {
  if (user.must_change_password) return 'oneTime';
  return user.has_password ? 'active' : 'none';
}
