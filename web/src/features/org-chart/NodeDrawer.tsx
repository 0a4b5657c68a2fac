import { Box, Button, Flex, Group, Skeleton } from '@mantine/core';
import { IconArrowUpRight, IconHierarchy2, IconMail } from '@tabler/icons-react';
import { departments, employees, type Employee } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { paths } from '../../paths.ts';
import { mailTo } from '../../ui/mail-to.ts';
import { SideSheet } from '../../ui/Sheet.tsx';
import { DescriptionList, type DescriptionItem } from '../../ui/DescriptionList.tsx';
import { PersonAvatar } from '../../ui/PersonAvatar.tsx';
import { useCounts } from './labels.ts';
import type { ChartItem } from './tree.ts';
import { LinkButton } from './LinkButton.tsx';
import { NodeSymbol } from './NodeSymbol.tsx';

type Shared = {
  onFocus: (personId: number) => void;
  /** The day as of which the chart is shown. */
  day: string | undefined;
};
type Props = Shared & {
  onClose: () => void;
  person: number | undefined;
  department: number | undefined;
  items: readonly ChartItem[];
};

/** The details of a node in a drawer. */
export function NodeDrawer({ person, department, items, onClose, ...shared }: Props) {
  const kind = person === undefined ? 'department' : 'employee';
  const id = person ?? department;
  const item = items.find((one) => one.kind === kind && one.id === id);
  const t = useTranslations('orgChartNode');
  const title = kind === 'employee' ? t('person') : t('department');
  return (
    <SideSheet opened={id !== undefined} onClose={onClose} title={title}>
      {person !== undefined && <Person key={person} id={person} item={item} {...shared} />}
      {person === undefined && department !== undefined && (
        <OneDepartment key={department} id={department} item={item} {...shared} />
      )}
    </SideSheet>
  );
}

type Content = Shared & { id: number; item: ChartItem | undefined };

function Person({ id, item, onFocus, day }: Content) {
  const t = useTranslations('orgChartNode');
  const counts = useCounts();
  const query = useQuery({
    ...load(employees.get, { params: { id }, ...(day && { query: { as_of: day } }) }),
    retry: false,
  });
  const known = query.data?.data;
  if (!known && !item) return query.isError ? <p className="muted">{t('gone')}</p> : <DrawerSkeleton />;
  const name = known?.display_name ?? item?.name ?? '';
  const picture = known?.profile_picture_url ?? item?.picture ?? null;
  const details = known ? detailsOf(known) : [{ label: 'department', value: item?.group?.name ?? null } as const];
  return (
    <>
      <Head
        picture={<PersonAvatar id={id} name={name} size={56} url={picture} />}
        name={name}
        line={(known ? known.job_title : item?.line) ?? ''}
      />
      <DescriptionList
        title={t('job')}
        items={[
          ...details.map(({ label, value }): DescriptionItem => ({ label: t(label), value })),
          known?.reporting_manager !== undefined && {
            label: t('manager'),
            value: known.reporting_manager && <ManagerLink person={known.reporting_manager} onFocus={onFocus} />,
          },
          item !== undefined && item.below > 0 && { label: t('team'), value: counts(item) },
        ]}
      />
      {/* A manager out of scope has no page. */}
      {known && <PersonActions id={id} email={known.email} onFocus={onFocus} day={day} />}
      {!known && query.isError && <p className="muted">{t('noMore')}</p>}
    </>
  );
}

function PersonActions({ id, email, onFocus, day }: Shared & { id: number; email: string | null }) {
  const t = useTranslations('orgChartNode');
  return (
    <Group gap={8}>
      <Button
        renderRoot={(props) => (
          <Link {...props} to={paths.employee} params={{ id: String(id) }} search={day ? { as_of: day } : {}} />
        )}
        rightSection={<Out />}
      >
        {t('profile')}
      </Button>
      {email !== null && (
        <Button component="a" href={mailTo(email)} variant="default" leftSection={<IconMail size={16} aria-hidden />}>
          {t('write')}
        </Button>
      )}
      <Button variant="default" onClick={() => onFocus(id)} leftSection={<IconHierarchy2 size={16} aria-hidden />}>
        {t('showInChart')}
      </Button>
    </Group>
  );
}

const Out = () => <IconArrowUpRight size={16} className="directional" aria-hidden />;

const detailsOf = ({ entity, department, employee_number, email }: Employee) =>
  [
    { label: 'entity', value: entity.name },
    { label: 'department', value: department.name },
    { label: 'number', value: <bdi>{employee_number}</bdi> },
    { label: 'email', value: email === null ? null : <bdi>{email}</bdi> },
  ] as const;

type ManagerLinkProps = { person: { id: number; name: string }; onFocus: (id: number) => void };

const ManagerLink = ({ person, onFocus }: ManagerLinkProps) => (
  <LinkButton onClick={() => onFocus(person.id)}>
    <bdi>{person.name}</bdi>
  </LinkButton>
);

function OneDepartment({ id, item, day }: Content) {
  const t = useTranslations('orgChartNode');
  const tChart = useTranslations('orgChart');
  const { can } = useSession();
  const counts = useCounts();
  const allowed = can('departments.view');
  const query = useQuery({ ...load(departments.get, { params: { id } }), enabled: allowed, retry: false });
  const known = query.data?.data;
  if (!known && !item) return query.isError || !allowed ? <p className="muted">{t('gone')}</p> : <DrawerSkeleton />;
  const name = known?.name ?? item?.name ?? '';
  const company = known?.entity.name ?? item?.line ?? '';
  return (
    <>
      <Head
        picture={<NodeSymbol item={{ kind: 'department', id, name, picture: null }} size={56} />}
        name={name}
        line={company}
      />
      <DescriptionList
        title={t('structure')}
        items={[
          { label: t('entity'), value: company },
          known !== undefined && { label: t('above'), value: known.parent?.name ?? null },
          known !== undefined && { label: t('manager'), value: known.manager?.name ?? null },
          known !== undefined && { label: t('lead'), value: known.team_lead?.name ?? null },
          { label: t('size'), value: item ? counts(item) : tChart('people', { count: known?.employees_count ?? 0 }) },
        ]}
      />
      <DepartmentActions id={id} day={day} hasPage={known !== undefined} />
    </>
  );
}

function DepartmentActions({ id, day, hasPage }: Pick<Content, 'id' | 'day'> & { hasPage: boolean }) {
  const t = useTranslations('orgChartNode');
  return (
    <Group gap={8}>
      {hasPage && (
        <Button
          renderRoot={(props) => <Link {...props} to={paths.department} params={{ id: String(id) }} />}
          rightSection={<Out />}
        >
          {t('openDepartment')}
        </Button>
      )}
      <Button
        renderRoot={(props) => (
          <Link
            {...props}
            to={paths.employees}
            search={{ department_id: id, ...(day ? { as_of: day } : { activity_status: 'active' }) }}
          />
        )}
        variant="default"
      >
        {t('seePeople')}
      </Button>
    </Group>
  );
}

const Head = ({ picture, name, line }: { picture: ReactNode; name: string; line: string }) => (
  <Flex align="center" gap={14}>
    {picture}
    <div>
      <Box component="p" fz="1.0625rem" fw={600}>
        <bdi>{name}</bdi>
      </Box>
      {line !== '' && <p className="muted">{line}</p>}
    </div>
  </Flex>
);

function DrawerSkeleton() {
  const t = useTranslations('table');
  return (
    <Flex align="center" gap={14}>
      <output className="visually-hidden">{t('loading')}</output>
      <Skeleton circle height={56} />
      <Skeleton height={16} width="10rem" />
    </Flex>
  );
}
