import { ActionIcon, Box, Button, Group, Menu, Title, UnstyledButton } from '@mantine/core';
import { IconCamera, IconChevronDown, IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { employees, type Employee } from '@tenure/contract';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { address } from '../../../api/call.ts';
import { paths } from '../../../paths.ts';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { PaperActions } from '../../../ui/paper.ts';
import { PersonAvatar } from '../../../ui/PersonAvatar.tsx';
import { useDayText } from '../../../ui/use-day-text.ts';
import { usePageTitle } from '../../../ui/use-page-title.ts';
import { EmployeeStatusBadge } from '../EmployeeStatusBadge.tsx';
import { usePlannedDays } from '../planned/use-planned-days.ts';
import { employeeStatus } from '../status.ts';
import type { DialogName } from '../search.ts';
import { dialogsFor, destructive } from './actions.ts';
import { useNeighbours, type Neighbour } from './neighbours.ts';
import classes from './profile.module.css';

const EmailActions = lazyPart(() => import('./EmailActions.tsx'), 'EmailActions');

const route = getRouteApi('/shell/employees/$id');

type Props = { employee: Employee; onDialog: (name: DialogName) => void };

export function EmployeeHeader({ employee, onDialog }: Props) {
  usePageTitle(employee.display_name);
  return (
    <>
      <ListNavigation id={employee.id} />
      <Group px="gutter" pt={8} pb={16}>
        <Picture employee={employee} onDialog={onDialog} />
        <Box flex={1} miw="14rem" style={{ overflowWrap: 'anywhere' }}>
          <Group gap="4px 12px">
            <Title order={1}>
              <bdi>{employee.display_name}</bdi>
            </Title>
            <EmployeeStatusBadge employee={employee} />
          </Group>
          <Group className="muted" gap="2px 16px" mt={4} fz={13.5}>
            {employee.job_title && <span>{employee.job_title}</span>}
            <span>{employee.department.name}</span>
            <span>{employee.entity.name}</span>
            <Ahead employee={employee} />
          </Group>
        </Box>
        <Group gap={8}>
          {employee.email !== null && (
            <Suspense fallback={<Box w={140} h={36} />}>
              <EmailActions email={employee.email} />
            </Suspense>
          )}
          {/* neither contains private details that are not shown */}
          <Suspense fallback={<Box w={80} h={36} />}>
            <PaperActions pdf={address(employees.pdf, { params: { id: employee.id } })} />
          </Suspense>
          <Actions employee={employee} onDialog={onDialog} />
        </Group>
      </Group>
    </>
  );
}

/** Links to the list and to the previous and next person in it. */
function ListNavigation({ id }: { id: number }) {
  const t = useTranslations('profile');
  const { directory, position, total, previous, next } = useNeighbours(id);
  return (
    <Group
      gap={6}
      mih={44}
      px="gutter"
      pt={10}
      fz="sm"
      aria-label={t('trail')}
      className={classes['trail'] ?? ''}
      wrap="nowrap"
      renderRoot={(props) => <nav {...props} />}
    >
      <Link to={paths.employees} search={directory ?? {}} className={classes['back']}>
        <IconChevronLeft size={16} className="directional" aria-hidden />
        {t('toList')}
      </Link>
      {position !== undefined && total !== undefined && (
        <>
          <span className="muted numbers">
            <bdi>{t('place', { place: position, total })}</bdi>
          </span>
          <Step to={previous} label={t('previous')} Icon={IconChevronLeft} />
          <Step to={next} label={t('next')} Icon={IconChevronRight} />
        </>
      )}
    </Group>
  );
}

type StepProps = { to: Neighbour | undefined; label: string; Icon: typeof IconChevronLeft };

function Step({ to, label, Icon }: StepProps) {
  const { tab, as_of } = route.useSearch();
  const icon = <Icon size={16} className="directional" aria-hidden />;
  if (!to)
    return (
      <ActionIcon variant="default" size={30} disabled aria-label={label}>
        {icon}
      </ActionIcon>
    );
  return (
    <ActionIcon
      variant="default"
      size={30}
      aria-label={`${label}: ${to.name}`}
      title={to.name}
      renderRoot={(props) => (
        <Link
          {...props}
          from={paths.employee}
          to={paths.employee}
          params={{ id: String(to.id) }}
          search={{ ...(tab && { tab }), ...(as_of && { as_of }) }}
          state={{ directory: to.directory }}
        />
      )}
    >
      {icon}
    </ActionIcon>
  );
}

function Picture({ employee, onDialog }: Props) {
  const t = useTranslations('profile');
  const { id, display_name, profile_picture_url: url, allowed_actions } = employee;
  const picture = <PersonAvatar id={id} name={display_name} url={url} size={64} />;
  if (!allowed_actions.includes('update')) return picture;
  return (
    <UnstyledButton data-paper pos="relative" style={{ borderRadius: '50%' }} onClick={() => onDialog('picture')}>
      <span className="visually-hidden">{t('changePicture')}</span>
      {picture}
      <span className={classes['camera']}>
        <IconCamera size={14} aria-hidden />
      </span>
    </UnstyledButton>
  );
}

/** The last working day of a leaver, and the first day of a planned job change. */
function Ahead({ employee }: { employee: Employee }) {
  const t = useTranslations('profile');
  const dayText = useDayText();
  const { id, last_working_date: last } = employee;
  const planned = usePlannedDays([id], employee.employment_lifecycle !== undefined).get(id);
  return (
    <>
      {last && employeeStatus(employee) === 'leaving' && <strong>{t('leavingOn', { day: dayText(last) })}</strong>}
      {planned && (
        <Link
          from={paths.employee}
          to={paths.employee}
          params={{ id: String(id) }}
          search={{ tab: 'job' }}
          className={classes['planned']}
        >
          {t('planned', { day: dayText(planned) })}
        </Link>
      )}
    </>
  );
}

/** The available lifecycle steps; destructive ones are set apart. */
function Actions({ employee, onDialog }: Props) {
  const t = useTranslations('profile');
  const name = useTranslations('profile.do');
  const may = dialogsFor(employee);
  const mayReassign = employee.allowed_actions.includes('reassign');
  if (may.length === 0 && !mayReassign) return null;
  const item = (one: DialogName) => (
    <Menu.Item key={one} onClick={() => onDialog(one)} {...(destructive.has(one) && { c: 'var(--danger)' })}>
      {name(one)}
    </Menu.Item>
  );
  const heavy = may.filter((one) => destructive.has(one));
  const light = may.filter((one) => !destructive.has(one));
  return (
    <Menu position="bottom-end" width={230}>
      <Menu.Target>
        <Button data-steps rightSection={<IconChevronDown size={16} aria-hidden />}>
          {t('actions')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {light.map(item)}
        {mayReassign && (
          <Menu.Item
            renderRoot={(props) => <Link {...props} to={paths.offboarding} params={{ id: String(employee.id) }} />}
          >
            {t('reassign')}
          </Menu.Item>
        )}
        {light.length + Number(mayReassign) > 0 && heavy.length > 0 && <Menu.Divider />}
        {heavy.map(item)}
      </Menu.Dropdown>
    </Menu>
  );
}
