import { Button, NativeSelect, Switch } from '@mantine/core';
import {
  activityStatuses,
  employees,
  employmentTypes,
  lifecycles,
  missingOfEmployees,
  roles,
  signInStates,
} from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { useSession } from '../../../api/session.tsx';
import { DayFilter } from '../../../ui/DayFilter.tsx';
import { MultiFilter, RecordMultiFilter } from '../../../ui/MultiFilter.tsx';
import { useRoleName } from '../../../ui/role-name.ts';
import { valueOf, valuesOf } from '../../../ui/several-values.ts';
import { todayFilters, yesOrNo, type Change, type EmployeesSearch, type FilterProps } from '../search.ts';
import { moreFilters } from './filter-names.ts';

const withoutToday: Change = Object.fromEntries(todayFilters.map((name) => [name, undefined]));

/** The less frequent filters. */
export function MoreFilters({ search, onChange }: FilterProps) {
  const t = useTranslations('employees');
  const { can } = useSession();
  const roleName = useRoleName();
  return (
    <>
      <DayFilter
        label={t('asOf')}
        value={search.as_of}
        onChange={(as_of) => onChange({ ...(as_of && withoutToday), as_of })}
      />
      <Choices search={search} onChange={onChange} />
      <RecordMultiFilter
        label={t('manager')}
        placeholder={t('any')}
        list={employees.list}
        sortBy="last_name"
        none={{ value: '0', label: t('noManager') }}
        values={valuesOf(search.reporting_manager_id)}
        onChange={(values) => onChange({ reporting_manager_id: valueOf(values) })}
      />
      {can('employees.assign_roles') && (
        <RecordMultiFilter
          label={t('role')}
          placeholder={t('any')}
          list={roles.list}
          nameOf={roleName}
          none={{ value: '0', label: t('noRole') }}
          values={valuesOf(search.role_id)}
          onChange={(values) => onChange({ role_id: valueOf(values) })}
        />
      )}
      <Days search={search} onChange={onChange} />
      {can('employees.deactivate') && !search.as_of && (
        <Switch
          label={t('deleted')}
          checked={search.deleted === true}
          onChange={(event) => onChange({ deleted: event.currentTarget.checked || undefined })}
        />
      )}
      <Clear search={search} onChange={onChange} />
    </>
  );
}

/** Clears only these filters. */
function Clear({ search, onChange }: FilterProps) {
  const t = useTranslations('employees');
  if (!moreFilters.some((name) => name in search)) return null;
  return (
    <div>
      <Button
        variant="subtle"
        onClick={() => onChange(Object.fromEntries(moreFilters.map((name) => [name, undefined])))}
      >
        {t('clearMore')}
      </Button>
    </div>
  );
}

/** Over 40 lines: one list of filters. */
function Choices({ search, onChange }: FilterProps) {
  const t = useTranslations('employees');
  const lifecycle = useTranslations('lifecycle');
  const kinds = useTranslations('employmentType');
  const activity = useTranslations('activityStatus');
  const field = useTranslations('fields.employee');
  const isToday = search.as_of === undefined;
  return (
    <>
      {isToday && (
        <Choice
          label={field('activity_status')}
          values={valuesOf(search.activity_status)}
          all={activityStatuses}
          nameOf={(value) => activity(value)}
          onChange={(activity_status) => onChange({ activity_status })}
        />
      )}
      <Choice
        label={t('lifecycle')}
        values={valuesOf(search.employment_lifecycle)}
        all={lifecycles}
        nameOf={(value) => lifecycle(value)}
        onChange={(employment_lifecycle) => onChange({ employment_lifecycle })}
      />
      <Choice
        label={t('kind')}
        values={valuesOf(search.employment_type)}
        all={employmentTypes}
        nameOf={(value) => kinds(value)}
        onChange={(employment_type) => onChange({ employment_type })}
      />
      {isToday && <OfToday search={search} onChange={onChange} />}
    </>
  );
}

/** The filters that apply only to today. */
function OfToday({ search, onChange }: FilterProps) {
  const t = useTranslations('employees');
  return (
    <>
      <NativeSelect
        label={t('absent')}
        value={search.absent ?? ''}
        data={[{ value: '', label: t('any') }, ...yesOrNo.map((value) => ({ value, label: t(`absentIs.${value}`) }))]}
        onChange={(event) => onChange({ absent: yesOrNo.find((one) => one === event.currentTarget.value) })}
      />
      <NativeSelect
        label={t('left')}
        value={search.left ?? ''}
        data={[{ value: '', label: t('any') }, ...yesOrNo.map((value) => ({ value, label: t(`leftIs.${value}`) }))]}
        onChange={(event) => onChange({ left: yesOrNo.find((one) => one === event.currentTarget.value) })}
      />
      <Choice
        label={t('missing')}
        values={valuesOf(search.missing)}
        all={missingOfEmployees}
        nameOf={(value) => t(`missingIs.${value}`)}
        onChange={(missing) => onChange({ missing })}
      />
      <Choice
        label={t('signIn')}
        values={valuesOf(search.sign_in)}
        all={signInStates}
        nameOf={(value) => t(`signInIs.${value}`)}
        onChange={(sign_in) => onChange({ sign_in })}
      />
    </>
  );
}

type ChoiceProps<V> = {
  label: string;
  values: readonly string[];
  all: readonly V[];
  nameOf: (value: V) => string;
  onChange: (value: string | undefined) => void;
};

/** A filter with some of a few values, or none for any. */
function Choice<V extends string>({ label, values, all, nameOf, onChange }: ChoiceProps<V>) {
  const t = useTranslations('employees');
  return (
    <MultiFilter
      label={label}
      placeholder={t('any')}
      options={all.map((value) => ({ value, label: nameOf(value) }))}
      values={values}
      onChange={(chosen) => onChange(chosen.length === 0 ? undefined : chosen.join(','))}
    />
  );
}

const days = [
  'joined_from',
  'joined_to',
  'probation_ends_from',
  'probation_ends_to',
  'left_from',
  'left_to',
  'rehired_from',
  'rehired_to',
] as const satisfies readonly (keyof EmployeesSearch)[];

const Days = ({ search, onChange }: FilterProps) => {
  const t = useTranslations('employees');
  return days.map((name) => (
    <DayFilter
      key={name}
      label={t(`days.${name}`)}
      value={search[name]}
      onChange={(day) => onChange({ [name]: day })}
    />
  ));
};
