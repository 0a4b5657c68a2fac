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

function Choices({ search, onChange }: FilterProps) {
  const t = useTranslations('employees');
  const lifecycle = useTranslations('lifecycle');
  const kinds = useTranslations('employmentType');
  const any = { value: '', label: t('any') };
  return (
    <>
      <NativeSelect
        label={t('lifecycle')}
        value={search.employment_lifecycle ?? ''}
        data={[any, ...lifecycles.map((value) => ({ value, label: lifecycle(value) }))]}
        onChange={(event) =>
          onChange({ employment_lifecycle: lifecycles.find((one) => one === event.currentTarget.value) })
        }
      />
      <NativeSelect
        label={t('kind')}
        value={search.employment_type ?? ''}
        data={[any, ...employmentTypes.map((value) => ({ value, label: kinds(value) }))]}
        onChange={(event) =>
          onChange({ employment_type: employmentTypes.find((one) => one === event.currentTarget.value) })
        }
      />
      <NativeSelect
        label={t('left')}
        value={search.left ?? ''}
        data={[any, ...yesOrNo.map((value) => ({ value, label: t(`leftIs.${value}`) }))]}
        onChange={(event) => onChange({ left: yesOrNo.find((one) => one === event.currentTarget.value) })}
      />
      <NativeSelect
        label={t('missing')}
        value={search.missing ?? ''}
        data={[any, ...missingOfEmployees.map((value) => ({ value, label: t(`missingIs.${value}`) }))]}
        onChange={(event) => onChange({ missing: missingOfEmployees.find((one) => one === event.currentTarget.value) })}
      />
      <NativeSelect
        label={t('signIn')}
        value={search.sign_in ?? ''}
        data={[any, ...signInStates.map((value) => ({ value, label: t(`signInIs.${value}`) }))]}
        onChange={(event) => onChange({ sign_in: signInStates.find((one) => one === event.currentTarget.value) })}
      />
    </>
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
