import { Box, Button, Group } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import type { EntityRow } from '@tenure/contract';
import { Link } from '@tanstack/react-router';
import { useLocale, useTranslations } from 'use-intl';
import { paths } from '../../paths.ts';
import { countryName } from '../../ui/countries.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';

type Props = { company: Pick<EntityRow, 'id' | 'name'> & Partial<EntityRow>; onEdit: () => void };

/** A company in one line, for users who may see more than its name. */
export function CompanyLine({ company, onEdit }: Props) {
  const t = useTranslations('companies');
  const locale = useLocale();
  const status = useTranslations('activityStatus');
  const { id, code, country, timezone, employees_count, allowed_actions } = company;
  if (code === undefined) return null;
  return (
    <Group className="muted" gap="6px 16px" mih={52} px="gutter" py={12} fz="sm">
      <Box component="bdi" px={8} py={2} bg="var(--quiet-bg)" c="var(--quiet-fg)" fw={550} bdrs="sm">
        {code}
      </Box>
      {company.status === 'inactive' && <StatusBadge tone="quiet" label={status('inactive')} />}
      <Link to={paths.employees} search={{ entity_id: id, activity_status: 'active' }}>
        {t('people', { count: employees_count ?? 0 })}
      </Link>
      <span>{[country && countryName(locale, country), timezone].filter(Boolean).join(' · ')}</span>
      <Link to={paths.company} params={{ id: String(id) }}>
        {t('details')}
      </Link>
      {allowed_actions?.includes('update') && (
        <Button variant="subtle" size="compact-sm" leftSection={<IconPencil size={14} aria-hidden />} onClick={onEdit}>
          {t('edit')}
        </Button>
      )}
    </Group>
  );
}
