import { ActionIcon, Button, CopyButton, Title } from '@mantine/core';
import { IconCheck, IconChevronLeft, IconCopy, IconMail } from '@tabler/icons-react';
import type { Employee } from '@tenure/contract';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { apiBase } from '../../../api/base.ts';
import { paths } from '../../../paths.ts';
import { PersonAvatar } from '../../../ui/PersonAvatar.tsx';
import { usePageTitle } from '../../../ui/use-page-title.ts';
import { EmployeeStatusBadge } from '../columns.tsx';
import { timeServed, today } from '../time-served.ts';
import classes from './profile.module.css';

export function EmployeeHeader({ employee }: { employee: Employee }) {
  const t = useTranslations('profile');
  usePageTitle(employee.display_name);
  const { reporting_manager: manager } = employee;
  return (
    <div className={classes['header']}>
      <Picture employee={employee} />
      <div className={classes['who']}>
        <div className={classes['nameLine']}>
          <Title order={1}>
            <bdi>{employee.display_name}</bdi>
          </Title>
          <EmployeeStatusBadge employee={employee} />
        </div>
        <div className={classes['meta']}>
          {employee.job_title && <span>{employee.job_title}</span>}
          <span>{employee.department.name}</span>
          <span>{employee.entity.name}</span>
          <Served employee={employee} />
          {manager && (
            <span>
              {t('reportsTo')}{' '}
              <Link to={paths.employee} params={{ id: String(manager.id) }}>
                {manager.name}
              </Link>
            </span>
          )}
        </div>
      </div>
      <EmailActions email={employee.email} />
      <Button
        component={Link}
        to={paths.employees}
        variant="default"
        leftSection={<IconChevronLeft size={16} className="directional" aria-hidden />}
      >
        {t('toList')}
      </Button>
    </div>
  );
}

const Picture = ({ employee: { id, display_name, profile_picture_url: url } }: { employee: Employee }) =>
  url === null ? (
    <PersonAvatar id={id} name={display_name} size={64} />
  ) : (
    <img className={classes['picture']} src={`${apiBase}${url}`} alt="" width={64} height={64} />
  );

/** How long somebody has been here; nothing for those who left or whose joining date is not shown. */
function Served({ employee }: { employee: Employee }) {
  const t = useTranslations('profile');
  const { joining_date: joined, activity_status } = employee;
  const served = joined && activity_status === 'active' ? timeServed(joined, today()) : null;
  return served && <span>{t('served', served)}</span>;
}

function EmailActions({ email }: { email: string }) {
  const t = useTranslations('profile');
  return (
    <>
      <Button component="a" href={`mailto:${email}`} variant="default" leftSection={<IconMail size={16} aria-hidden />}>
        {t('write')}
      </Button>
      <CopyButton value={email}>
        {({ copied, copy }) => (
          <ActionIcon variant="default" size={36} aria-label={t(copied ? 'emailCopied' : 'copyEmail')} onClick={copy}>
            {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          </ActionIcon>
        )}
      </CopyButton>
    </>
  );
}
