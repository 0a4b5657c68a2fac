import { useTranslations } from 'use-intl';
import type { ChartItem } from './tree.ts';

/** The number of direct children as text. */
export function useCounts() {
  const t = useTranslations('orgChart');
  return (item: ChartItem): string => {
    if (item.kind === 'employee') return item.below > 0 ? t('reports', { count: item.below }) : '';
    const departments = item.below > 0 ? [t('departments', { count: item.below })] : [];
    const people = item.people === null ? [] : [t('people', { count: item.people })];
    return [...people, ...departments].join(' · ');
  };
}
