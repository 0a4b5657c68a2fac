import { Box, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconChevronRight, IconHierarchy2, IconPencil } from '@tabler/icons-react';
import { departments, employees, type Department, type PersonRef } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Suspense, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { NotFoundPage } from '../../layout/ErrorPages.tsx';
import { isId, paths } from '../../paths.ts';
import { ActionWithMenu } from '../../ui/ActionWithMenu.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { DescriptionList } from '../../ui/DescriptionList.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { PersonAvatar } from '../../ui/PersonAvatar.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { useValueText } from '../../ui/row-values.ts';
import { departmentFields, rowOf } from './department-fields.ts';
import { DepartmentDialogs } from './dialogs.ts';
import { DepartmentMenu } from './DepartmentMenu.tsx';
import classes from './departments.module.css';
import type { DialogName } from './search.ts';
import { useDepartmentStatus } from './use-department-status.ts';
import { AutoGrid } from '../../ui/AutoGrid.tsx';
import { LoadingLines } from '../../ui/LoadingLines.tsx';

const route = getRouteApi('/shell/departments/$id');
const shownPeople = 12;

/** A department: its parents, manager and lead, its departments and its people. */
export function DepartmentPage() {
  const { id } = route.useParams();
  return isId(id) ? <OneDepartment id={Number(id)} /> : <NotFoundPage />;
}

function OneDepartment({ id }: { id: number }) {
  const { dialog } = route.useSearch();
  const navigate = route.useNavigate();
  const open = (next: DialogName | undefined) => void navigate({ search: next ? { dialog: next } : {} });
  const query = useQuery(load(departments.get, { params: { id } }));
  const status = useDepartmentStatus();
  if (query.isPending) return <LoadingLines lines={7} />;
  if (failedWithoutData(query)) return <ErrorState page error={query.error} onRetry={() => void query.refetch()} />;
  const department = query.data.data;
  return (
    <>
      <Header department={department} onDialog={open} onStatus={status.change} />
      {status.error && (
        <Box px="gutter" pb={12}>
          <ErrorNotice error={status.error} />
        </Box>
      )}
      <Stack gap={28} px="gutter" pt={4} pb={32}>
        <About department={department} onDialog={open} />
        <Below id={id} />
        <People department={department} />
      </Stack>
      <Suspense>
        <DepartmentDialogs
          dialog={dialog}
          department={department}
          entityId={department.entity_id}
          onClose={() => open(undefined)}
          onDeleted={() => void navigate({ to: paths.departments, search: { entity_id: department.entity_id } })}
          onDeactivate={status.change}
        />
      </Suspense>
    </>
  );
}

type HeaderProps = {
  department: Department;
  onDialog: (dialog: DialogName) => void;
  onStatus: (department: Department) => void;
};

function Header({ department, onDialog, onStatus }: HeaderProps) {
  const t = useTranslations('departments');
  const { can } = useSession();
  const { id, name } = department;
  return (
    <PageHeader title={name} lead={<Lead department={department} />}>
      {can('employees.view') && (
        <Button
          renderRoot={(props) => <Link {...props} to={paths.orgChart} search={{ by: 'department', department: id }} />}
          variant="default"
          leftSection={<IconHierarchy2 size={16} aria-hidden />}
        >
          {t('do.chart')}
        </Button>
      )}
      <ActionWithMenu>
        {department.allowed_actions.includes('update') && (
          <Button leftSection={<IconPencil size={16} aria-hidden />} onClick={() => onDialog('edit')}>
            {t('do.edit')}
          </Button>
        )}
        <DepartmentMenu department={department} onDialog={onDialog} onStatus={onStatus} size={36} />
      </ActionWithMenu>
    </PageHeader>
  );
}

/** The company, the parent department and the status. */
function Lead({ department: { entity, parent, status } }: { department: Department }) {
  const states = useTranslations('activityStatus');
  return (
    <Group gap={6}>
      <Link to={paths.departments} search={{ entity_id: entity.id }}>
        <bdi>{entity.name}</bdi>
      </Link>
      {parent && (
        <>
          <IconChevronRight size={13} className="directional" aria-hidden />
          <Link to={paths.department} params={{ id: String(parent.id) }}>
            <bdi>{parent.name}</bdi>
          </Link>
        </>
      )}
      <StatusBadge tone={status === 'active' ? 'good' : 'quiet'} label={states(status)} />
    </Group>
  );
}

/** The name is the heading of the page. */
const texts = departmentFields.filter((name) => rowOf(name).kind !== 'reference' && name !== 'name');

function About({ department, onDialog }: { department: Department; onDialog: (dialog: DialogName) => void }) {
  const t = useTranslations('departments');
  const label = useTranslations('fields.department');
  const text = useValueText(label);
  const { id, manager, team_lead, employees_count, allowed_actions: allowed } = department;
  const lead = (person: PersonRef | null, dialog: 'manager' | 'lead', action: string): ReactNode => {
    if (person) return <PersonLink {...person} />;
    return allowed.includes(action) ? (
      <Button variant="subtle" size="compact-sm" onClick={() => onDialog(dialog)}>
        {t('assign')}
      </Button>
    ) : null;
  };
  return (
    <DescriptionList
      title={t('about')}
      items={[
        ...texts.map((name) => ({
          label: label(name),
          value: department[name] && <bdi>{text(name, rowOf(name), department[name])}</bdi>,
        })),
        { label: label('manager_id'), value: lead(manager, 'manager', 'manager') },
        { label: label('team_lead_id'), value: lead(team_lead, 'lead', 'team-lead') },
        {
          label: t('headcount'),
          value: (
            <Link to={paths.employees} search={{ department_id: id, activity_status: 'active' }}>
              {t('people', { count: employees_count })}
            </Link>
          ),
        },
      ]}
    />
  );
}

const PersonLink = ({ id, name }: { id: number; name: string }) => (
  <Link to={paths.employee} params={{ id: String(id) }}>
    <bdi>{name}</bdi>
  </Link>
);

/** The child departments; renders nothing if there are none. */
function Below({ id }: { id: number }) {
  const t = useTranslations('departments');
  const asked = { parent_id: id, per_page: 100, sort_by: 'name' } as object;
  const below = useQuery(load(departments.list, { query: asked })).data?.data ?? [];
  if (below.length === 0) return null;
  return (
    <Listed title={t('below')}>
      {below.map((one) => (
        <li key={one.id}>
          <Link to={paths.department} params={{ id: String(one.id) }} className={classes['entry']}>
            <bdi>{one.name}</bdi>
            <End>{t('people', { count: one.employees_count })}</End>
          </Link>
        </li>
      ))}
    </Listed>
  );
}

/** The first people, with a link to all of them. */
function People({ department: { id, employees_count: count } }: { department: Department }) {
  const t = useTranslations('departments');
  const { can } = useSession();
  const filter = { department_id: id, activity_status: 'active' } as const;
  const query = useQuery({
    ...load(employees.list, { query: { ...filter, per_page: shownPeople, sort_by: 'last_name' } }),
    enabled: can('employees.view') && count > 0,
  });
  const people = query.data?.data ?? [];
  if (people.length === 0) return null;
  return (
    <Listed title={t('peopleTitle')}>
      {people.map(({ id: person, display_name, job_title, profile_picture_url }) => (
        <li key={person}>
          <Link to={paths.employee} params={{ id: String(person) }} className={classes['entry']}>
            <PersonAvatar id={person} name={display_name} size={28} url={profile_picture_url} />
            <bdi>{display_name}</bdi>
            <End>{job_title}</End>
          </Link>
        </li>
      ))}
      {count > people.length && (
        <li>
          <Link to={paths.employees} search={filter} className={classes['entry']}>
            {t('seeAll', { count })}
          </Link>
        </li>
      )}
    </Listed>
  );
}

/** Text at the end of an entry's line. */
const End = ({ children }: { children: ReactNode }) => (
  <Text span truncate className="muted" size="sm" ms="auto">
    {children}
  </Text>
);

const Listed = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <Title order={2}>{title}</Title>
    <AutoGrid component="ul" min="21rem" gap="2px 20px" mt={6} mx={-10}>
      {children}
    </AutoGrid>
  </section>
);
