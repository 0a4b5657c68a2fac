import { Button, NativeSelect, Switch } from '@mantine/core';
import { employmentTypes, lifecycles, missingOfEmployees, roles, signInStates } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { useSession } from '../../../api/session.tsx';
import { DayFilter } from '../../../ui/DayFilter.tsx';
import { PersonPicker } from '../../../ui/PersonPicker.tsx';
import { RecordSelect } from '../../../ui/RecordSelect.tsx';
import { moreFilters, yesOrNo, type EmployeesSearch, type FilterProps } from '../search.ts';

/** The less frequent filters. */
export function MoreFilters({ search, onChange }: FilterProps) {
  const t = useTranslations('employees');
  const { can } = useSession();
  return (
    <>
      <Choices search={search} onChange={onChange} />
      <PersonPicker
        label={t('manager')}
        value={search.reporting_manager_id || undefined}
        query={{ activity_status: undefined }}
        onChange={(reporting_manager_id) => onChange({ reporting_manager_id })}
      />
      {can('employees.assign_roles') && (
        <RecordSelect
          label={t('role')}
          labelled
          list={roles.list}
          one={roles.get}
          value={search.role_id}
          onChange={(role_id) => onChange({ role_id })}
        />
      )}
      <Days search={search} onChange={onChange} />
      {can('employees.deactivate') && (
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
  return (
    <>
      <Choice
        label={t('lifecycle')}
        value={search.employment_lifecycle}
        values={lifecycles}
        nameOf={(value) => lifecycle(value)}
        onChange={(employment_lifecycle) => onChange({ employment_lifecycle })}
      />
      <Choice
        label={t('kind')}
        value={search.employment_type}
        values={employmentTypes}
        nameOf={(value) => kinds(value)}
        onChange={(employment_type) => onChange({ employment_type })}
      />
      <Choice
        label={t('left')}
        value={search.left}
        values={yesOrNo}
        nameOf={(value) => t(`leftIs.${value}`)}
        onChange={(left) => onChange({ left })}
      />
      <Choice
        label={t('missing')}
        value={search.missing}
        values={missingOfEmployees}
        nameOf={(value) => t(`missingIs.${value}`)}
        onChange={(missing) => onChange({ missing })}
      />
      <Choice
        label={t('signIn')}
        value={search.sign_in}
        values={signInStates}
        nameOf={(value) => t(`signInIs.${value}`)}
        onChange={(sign_in) => onChange({ sign_in })}
      />
    </>
  );
}

type ChoiceProps<V> = {
  label: string;
  value: V | undefined;
  values: readonly V[];
  nameOf: (value: V) => string;
  onChange: (value: V | undefined) => void;
};

/** One of some values, or any. */
function Choice<V extends string>({ label, value, values, nameOf, onChange }: ChoiceProps<V>) {
  const t = useTranslations('employees');
  return (
    <NativeSelect
      label={label}
      value={value ?? ''}
      data={[{ value: '', label: t('any') }, ...values.map((one) => ({ value: one, label: nameOf(one) }))]}
      onChange={(event) => onChange(values.find((one) => one === event.currentTarget.value))}
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
