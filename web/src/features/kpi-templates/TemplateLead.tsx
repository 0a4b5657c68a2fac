import { Group } from '@mantine/core';
import type { KpiTemplateRow } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { StatusBadge, type Tone } from '../../ui/StatusBadge.tsx';

const tones: Record<KpiTemplateRow['status'], Tone> = { draft: 'warn', active: 'good', archived: 'quiet' };

export function TemplateStatus({ status }: Pick<KpiTemplateRow, 'status'>) {
  const t = useTranslations('kpiTemplates');
  return <StatusBadge tone={tones[status]} label={t(`status.${status}`)} />;
}

/** The number of cycles that use a template and that the user may see. */
export function Usage({ usage: { draft_cycles, published_cycles } }: Pick<KpiTemplateRow, 'usage'>) {
  const t = useTranslations('kpiTemplates');
  if (draft_cycles + published_cycles === 0) return <span className="muted">{t('unused')}</span>;
  const parts = [
    ...(published_cycles > 0 ? [t('inPublished', { count: published_cycles })] : []),
    ...(draft_cycles > 0 ? [t('inDrafts', { count: draft_cycles })] : []),
  ];
  return <span>{parts.join(', ')}</span>;
}

/** The line below the name of a template. */
export function TemplateLead({ template }: { template: KpiTemplateRow }) {
  const t = useTranslations('kpiTemplates');
  const { status, entity, version, usage } = template;
  return (
    <Group gap="4px 10px">
      <TemplateStatus status={status} />
      <bdi>{entity?.name ?? t('allCompanies')}</bdi>
      <span>{t('version', { version })}</span>
      <Usage usage={usage} />
    </Group>
  );
}
