import { Button } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import type { EntityRow } from '@tenure/contract';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { paths } from '../../paths.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import classes from './CompanyLine.module.css';

type Props = { company: Pick<EntityRow, 'id' | 'name'> & Partial<EntityRow>; onEdit: () => void };

/** A company in one line, for whoever may see more of it than its name. */
export function CompanyLine({ company, onEdit }: Props) {
  const t = useTranslations('companies');
  const status = useTranslations('activityStatus');
  const { id, code, country, timezone, employees_count, allowed_actions } = company;
  if (code === undefined) return null;
  return (
    <div className={classes['line']}>
      <bdi className={classes['code']}>{code}</bdi>
      {company.status === 'inactive' && <StatusBadge tone="quiet" label={status('inactive')} />}
      <Link to={paths.employees} search={{ entity_id: id, activity_status: 'active' }}>
        {t('people', { count: employees_count ?? 0 })}
      </Link>
      <span>{[country, timezone].filter(Boolean).join(' · ')}</span>
      <Link to={paths.company} params={{ id: String(id) }}>
        {t('details')}
      </Link>
      {allowed_actions?.includes('update') && (
        <Button variant="subtle" size="compact-sm" leftSection={<IconPencil size={14} aria-hidden />} onClick={onEdit}>
          {t('edit')}
        </Button>
      )}
    </div>
  );
}
