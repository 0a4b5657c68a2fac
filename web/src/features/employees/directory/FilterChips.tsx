import { Button, Group } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { departments, employees, entities, roles, type Endpoint } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { Input } from '../../../api/call.ts';
import { load } from '../../../api/query.ts';
import { useRoleName } from '../../../ui/role-name.ts';
import { valueOf, valuesOf } from '../../../ui/several-values.ts';
import { useDayText } from '../../../ui/use-day-text.ts';
import { todayFilters, type EmployeesSearch, type FilterProps } from '../search.ts';
import { allFilters } from './filter-names.ts';

type Name = Exclude<(typeof allFilters)[number], 'search' | 'import_id'>;
type Chip = { name: Name; value: string; label: ReactNode; rest: Partial<EmployeesSearch> };

/** The values of the list's filters as removable chips. */
export function FilterChips({ search, onChange, except }: FilterProps & { except: readonly Name[] }) {
  const t = useTranslations('employees.chips');
  const labelOf = useChipLabel();
  const hidden: readonly string[] = ['search', 'import_id', ...except, ...(search.as_of ? todayFilters : [])];
  const names = allFilters.filter((name): name is Name => !hidden.includes(name));
  const chips = names.flatMap((name): Chip[] => {
    const values = valuesOf(search[name] as number | string | undefined);
    return values.map((value) => ({
      name,
      value,
      label: labelOf(name, value),
      rest: { [name]: valueOf(values.filter((one) => one !== value)) },
    }));
  });
  if (chips.length === 0) return null;
  return (
    <Group component="ul" gap={6} px="gutter" pb={10} aria-label={t('label')}>
      {chips.map(({ name, value, label, rest }) => (
        <li key={`${name}-${value}`}>
          <Button
            variant="light"
            size="compact-sm"
            rightSection={<IconX size={13} aria-hidden />}
            onClick={() => onChange(rest)}
          >
            <span>{label}</span>
            <span className="visually-hidden"> {t('remove')}</span>
          </Button>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => onChange(Object.fromEntries(names.map((name) => [name, undefined])))}
          >
            {t('clear')}
          </Button>
        </li>
      )}
    </Group>
  );
}

/** The filter and its value in words. */
function useChipLabel() {
  const t = useTranslations('employees');
  const activity = useTranslations('activityStatus');
  const lifecycle = useTranslations('lifecycle');
  const kinds = useTranslations('employmentType');
  const field = useTranslations('fields.employee');
  const dayText = useDayText();
  const roleName = useRoleName();
  return (name: Name, value: string): ReactNode => {
    const say = (label: string, text: ReactNode) => (
      <>
        {label}: <bdi>{text}</bdi>
      </>
    );
    switch (name) {
      case 'entity_id':
        return say(t('entity'), <RecordName one={entities.get} id={value} />);
      case 'department_id':
        return say(t('department'), <RecordName one={departments.get} id={value} />);
      case 'role_id':
        return say(
          t('role'),
          value === '0' ? t('noRole') : <RecordName one={roles.get} id={value} nameOf={roleName} />,
        );
      case 'reporting_manager_id':
        return say(t('manager'), value === '0' ? t('noManager') : <PersonName id={value} />);
      case 'activity_status':
        return say(field('activity_status'), activity(value as 'active'));
      case 'employment_lifecycle':
        return say(t('lifecycle'), lifecycle(value as 'confirmed'));
      case 'employment_type':
        return say(t('kind'), kinds(value as 'intern'));
      case 'missing':
        return say(t('missing'), t(`missingIs.${value as 'sign_in'}`));
      case 'sign_in':
        return say(t('signIn'), t(`signInIs.${value as 'active'}`));
      case 'absent':
        return say(t('absent'), t(`absentIs.${value as '0'}`));
      case 'left':
        return say(t('left'), t(`leftIs.${value as '0'}`));
      case 'deleted':
        return t('deleted');
      default:
        return say(t(`days.${name}`), dayText(value));
    }
  };
}

type RecordNameProps = { one: Endpoint; id: string; nameOf?: (name: string) => string };

/** The name of a record; a saved view may refer to one that is deleted or out of scope. */
function RecordName({ one, id, nameOf = (name) => name }: RecordNameProps) {
  const t = useTranslations('employees.chips');
  const query = useQuery({
    ...load(one, { params: { id: Number(id) } } as unknown as Input<Endpoint>),
    staleTime: 60_000,
    retry: false,
  });
  const name = (query.data as { data: { name: string } } | undefined)?.data.name;
  if (name !== undefined) return nameOf(name);
  return query.isError ? t('notFound') : '…';
}

function PersonName({ id }: { id: string }) {
  const t = useTranslations('employees.chips');
  const query = useQuery({ ...load(employees.list, { query: { id: [Number(id)], per_page: 1 } }), staleTime: 60_000 });
  const found = query.data?.data.find((row) => String(row.id) === id);
  if (found) return found.display_name;
  return query.isPending ? '…' : t('notFound');
}
