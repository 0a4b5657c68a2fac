import { itemDirections } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { measuresOf, type ItemValues } from './values.ts';

type SummaryFields = Pick<
  ItemValues,
  'item_type' | 'direction' | 'target_value' | 'unit' | 'evidence_required' | 'prorate'
>;

/** The scoring of an item in one line. */
export function useItemSummary() {
  const t = useTranslations('kpiTemplates');
  return ({ item_type, direction, target_value, unit, evidence_required, prorate }: SummaryFields): string => {
    const known = itemDirections.find((one) => one === direction);
    const target = measuresOf(direction).includes('target_value') && target_value.trim();
    const parts = [
      t(item_type === 'measured' ? 'type.measured' : 'type.rating'),
      ...(item_type === 'measured' && known ? [t(`direction.${known}`)] : []),
      ...(item_type === 'measured' && target ? [t('targetIs', { target: `${target} ${unit}`.trim() })] : []),
      ...(item_type === 'measured' && target && prorate ? [t('prorated')] : []),
      ...(evidence_required ? [t('evidence')] : []),
    ];
    return parts.join(' · ');
  };
}
