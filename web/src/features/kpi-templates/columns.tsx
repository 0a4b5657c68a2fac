import { Group, Stack, Text } from '@mantine/core';
import type { KpiTemplateRow } from '@tenure/contract';
import { Link } from '@tanstack/react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { paths } from '../../paths.ts';
import type { Column } from '../../ui/DataTable.tsx';
import { Moment } from '../../ui/Dates.tsx';
import type { TemplateDialog } from './TemplateMenu.tsx';
import { TemplateStatus, Usage } from './TemplateLead.tsx';
import { TemplateMenu } from './TemplateMenu.tsx';

/** The requested dialog and its template. */
export type DialogRequest = { dialog: TemplateDialog; template: KpiTemplateRow };

/** The columns of the template list. */
export function useTemplateColumns(onRequest: (asked: DialogRequest) => void): Column<KpiTemplateRow>[] {
  const t = useTranslations('kpiTemplates');
  const tList = useTranslations('kpiTemplateList');
  const format = useFormatter();
  return [
    { id: 'name', header: t('field.name'), sortBy: 'name', cell: (row) => <Name row={row} /> },
    { id: 'status', header: t('state'), sortBy: 'status', cell: (row) => <TemplateStatus status={row.status} /> },
    {
      id: 'entity',
      header: t('field.entity_id'),
      cell: (row) => (row.entity ? <bdi>{row.entity.name}</bdi> : <span className="muted">{t('allCompanies')}</span>),
    },
    {
      id: 'for',
      header: tList('forWhom'),
      cell: ({ job_title, grade }) =>
        [job_title, grade].filter(Boolean).join(' · ') || <span className="muted">{tList('anybody')}</span>,
    },
    {
      id: 'items',
      header: t('items'),
      sortBy: 'items_count',
      cell: (row) => <span className="numbers">{format.number(row.items_count)}</span>,
    },
    { id: 'usage', header: tList('usedIn'), cell: (row) => <Usage usage={row.usage} /> },
    { id: 'changed', header: tList('changed'), sortBy: 'updated_at', cell: (row) => <Moment value={row.updated_at} /> },
    {
      id: 'menu',
      header: tList('actions'),
      headerHidden: true,
      cell: (row) => <TemplateMenu template={row} onDialog={(dialog) => onRequest({ dialog, template: row })} />,
    },
  ];
}

/** A template in the list on a phone. */
export function TemplateCard({ row, onRequest }: { row: KpiTemplateRow; onRequest: (asked: DialogRequest) => void }) {
  const t = useTranslations('kpiTemplates');
  const tList = useTranslations('kpiTemplateList');
  const { entity, job_title, grade, items_count } = row;
  const about = [entity?.name ?? t('allCompanies'), job_title, grade, tList('itemsCount', { count: items_count })];
  return (
    <Stack gap={4} fz="sm">
      <Group align="start" justify="space-between" gap={8} wrap="nowrap" fz="md">
        <Name row={row} />
        <TemplateMenu template={row} size={36} onDialog={(dialog) => onRequest({ dialog, template: row })} />
      </Group>
      <p className="muted">{about.filter(Boolean).join(' · ')}</p>
      <Group gap="4px 10px">
        <TemplateStatus status={row.status} />
        <Usage usage={row.usage} />
      </Group>
    </Stack>
  );
}

function Name({ row: { id, name, description } }: { row: KpiTemplateRow }) {
  return (
    <Stack gap={0} miw={0} maw="24rem">
      <Link to={paths.kpiTemplate} params={{ id: String(id) }} className="record-link truncate">
        <bdi>{name}</bdi>
      </Link>
      {description !== null && (
        <Text span truncate className="muted" size="sm">
          {description}
        </Text>
      )}
    </Stack>
  );
}
