import { Button, Paper, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconFilter } from '@tabler/icons-react';
import { employees } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useId } from 'react';
import { useTranslations } from 'use-intl';
import { load } from '../../../api/query.ts';
import { useSession } from '../../../api/session.tsx';
import { Pills } from '../../../ui/Pills.tsx';
import { Filters } from '../../../ui/Filters.tsx';
import { FilterSheet } from '../../../ui/FilterSheet.tsx';
import { SearchField } from '../../../ui/SearchField.tsx';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { usePhone } from '../../../ui/use-phone.ts';
import type { Change, EmployeesSearch, FilterProps } from '../search.ts';
import { filtersOf } from './filter-names.ts';
import { AutoGrid } from '../../../ui/AutoGrid.tsx';
import classes from './EmployeeName.module.css';

const PlaceFilters = lazyPart(() => import('./PlaceFilters.tsx'), 'PlaceFilters');
const FilterChips = lazyPart(() => import('./FilterChips.tsx'), 'FilterChips');
const MoreFilters = lazyPart(() => import('./MoreFilters.tsx'), 'MoreFilters');

/** The filters of the directory. On a phone, the selects are in a bottom sheet. */
export function DirectoryFilters(props: FilterProps) {
  const { search, onChange } = props;
  const t = useTranslations('employees');
  const phone = usePhone();
  const [open, more] = useDisclosure(false);
  const panel = useId();
  const inPills = statusOf(search) !== undefined;
  const count = filtersOf(search).filter((name) => name in search && !(inPills && name === 'activity_status')).length;
  return (
    <>
      <Filters>
        <SearchField label={t('search')} value={search.search} onChange={(text) => onChange({ search: text })} />
        {phone ? (
          <FilterSheet count={count}>
            <Selects {...props} />
            <Suspense fallback={null}>
              <MoreFilters {...props} />
            </Suspense>
          </FilterSheet>
        ) : (
          <Selects {...props} />
        )}
        {!search.as_of && <StatusPills {...props} label={t('status')} />}
        {!phone && (
          <Button
            variant="default"
            leftSection={<IconFilter size={16} aria-hidden />}
            aria-expanded={open}
            aria-controls={panel}
            onClick={more.toggle}
          >
            {count > 0 ? t('moreCount', { count }) : t('more')}
          </Button>
        )}
      </Filters>
      {!phone && <MorePanel {...props} id={panel} open={open} />}
      {hasChips(search, inPills) && (
        <Suspense fallback={<div className={classes['chips']} />}>
          <FilterChips {...props} except={inPills ? statusFilters : []} />
        </Suspense>
      )}
    </>
  );
}

/** True if a filter beside the search and the pills is set. */
const hasChips = (search: EmployeesSearch, inPills: boolean) =>
  (['entity_id', 'department_id', ...filtersOf(search)] as const).some(
    (name) => name in search && !(inPills && (statusFilters as readonly string[]).includes(name)),
  );

/** The less frequent filters, below the others. */
const MorePanel = ({ id, open, ...props }: FilterProps & { id: string; open: boolean }) => (
  <Paper
    id={id}
    hidden={!open}
    display={open ? 'block' : 'none'}
    mx="gutter"
    mb={12}
    p={16}
    bd="1px solid var(--line)"
    bg="var(--sunken)"
    radius="lg"
    flex="none"
  >
    {open && (
      <Suspense fallback={null}>
        <AutoGrid min="13rem" gap="12px 16px" align="end">
          <MoreFilters {...props} />
        </AutoGrid>
      </Suspense>
    )}
  </Paper>
);

const Selects = (props: FilterProps) => (
  <Suspense fallback={<SelectsWaiting />}>
    <PlaceFilters {...props} />
  </Suspense>
);

/** As large as the selects, so that nothing moves when they load. */
function SelectsWaiting() {
  const { can } = useSession();
  return (['entities.view', 'departments.view'] as const)
    .filter(can)
    .map((one) => <Skeleton key={one} width={186} height={36} radius="md" />);
}

const statuses = {
  all: { activity_status: undefined, employment_lifecycle: undefined },
  active: { activity_status: 'active', employment_lifecycle: undefined },
  probationary: { activity_status: 'active', employment_lifecycle: 'probationary' },
  joining: { activity_status: 'joining', employment_lifecycle: undefined },
  inactive: { activity_status: 'inactive', employment_lifecycle: undefined },
} as const satisfies Record<string, Change>;
type Status = keyof typeof statuses;
const names = Object.keys(statuses) as Status[];
const statusFilters = ['activity_status', 'employment_lifecycle'] as const;

/** The pill for the status filters; undefined if they have other values. */
const statusOf = (search: EmployeesSearch) =>
  names.find((name) => statusFilters.every((filter) => statuses[name][filter] === search[filter]));

function StatusPills({ search, onChange, label }: FilterProps & { label: string }) {
  const t = useTranslations('employees');
  const joining = useJoining(search);
  return (
    <Pills
      label={label}
      options={names.map((value) => ({
        value,
        label: value === 'joining' && joining ? t('joiningCount', { count: joining }) : t(value),
      }))}
      value={statusOf(search)}
      onChange={(name) => onChange(statuses[name])}
    />
  );
}

/** The number of people who join later, in the chosen company and department; reads the count only. */
function useJoining({ entity_id, department_id }: EmployeesSearch): number | undefined {
  const query = { activity_status: 'joining', per_page: 1, entity_id, department_id };
  return useQuery(load(employees.list, { query })).data?.meta.total;
}
