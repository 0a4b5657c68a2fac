import type { Dashboard } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { Block, Figures } from '../../figures/Figures.tsx';
import type { Links } from '../../figures/use-links.tsx';

type Props = { gaps: NonNullable<Dashboard['data_quality']>; cycleId: number | undefined; links: Links };

const active = { activity_status: 'active' } as const;

/** Missing data in records, with links to the affected people. */
export function QualityBlock({ gaps, cycleId, links }: Props) {
  const t = useTranslations('home');
  const { as_of: _as_of, ...counts } = gaps;
  const gapLinks = {
    employees_without_manager: links.people({ ...active, reporting_manager_id: 0 }),
    departments_without_manager: links.departments(),
    accounts_without_role: links.people({ ...active, role_id: 0 }),
    managers_without_review_permission: links.people({ missing: 'review_permission' }),
    evaluations_without_reviewer: links.evaluations({
      missing_reviewer: true,
      ...(cycleId !== undefined && { cycle_id: cycleId }),
    }),
  };
  const names = (Object.keys(gapLinks) as (keyof typeof gapLinks)[]).filter((name) => counts[name] > 0);
  return (
    <Block title={t('gaps')}>
      {names.length === 0 ? (
        <p className="muted">{t('noGaps')}</p>
      ) : (
        <Figures
          label={t('gaps')}
          figures={names.map((name) => ({ label: t(`gap.${name}`), value: counts[name], linkTo: gapLinks[name] }))}
        />
      )}
    </Block>
  );
}
