import type { KpiEvaluation } from '@tenure/contract';
import { evaluatedItem } from './figures.ts';
import type { StoredItem } from './items.ts';
import type { StoredEvaluation } from './record.ts';
import { explain } from '../../scores/explain.ts';
import { prorationOf } from '../../scores/proration.ts';
import type { Sight } from './visibility.ts';

/** The subject's own figures use their proposals of items that do not apply, whatever the reviewer decides. */
const asProposed = (item: StoredItem): StoredItem => ({ ...item, manager_not_applicable: null });

/**
 * How the figures of each visible side were computed. The suggested flag belongs to the HR review: readers who do not
 * see that get the reviewer's scores without the flag.
 */
export function explanationsOf(
  row: StoredEvaluation,
  items: readonly StoredItem[],
  { self, self_given, manager, result }: Sight,
): KpiEvaluation['explain'] {
  const side = result && row.hr_submitted_at !== null ? 'final' : 'manager';
  const evaluated = (shown: readonly StoredItem[]) => ({
    ...row,
    items: shown.map((item) => ({ ...evaluatedItem(item, row), name: item.name, proration: prorationOf(item, row) })),
  });
  const shown = result ? items : items.map((item) => ({ ...item, final_actual_value: null }));
  const ofResult = manager ? explain(side, evaluated(shown)) : undefined;
  return {
    ...(self && self_given && { self: explain('self', evaluated(items.map(asProposed))) }),
    ...(ofResult && { result: result ? ofResult : { ...ofResult, suggested_flag: null } }),
  };
}
