import { text } from '@tenure/contract';
import type { Text } from '@tenure/contract';
import type { Sent } from '../../people/fields.ts';
import type { Verdict } from '../../people/rules.ts';

type Assumed = { status: 'confirmed' | 'resigned'; warning: Text };

/**
 * The status of a new person whose row has none, because other systems only export dates: a person with a last working
 * day or a notice date is leaving, and a person whose probation end is past is confirmed.
 */
export function assumedStatus(sent: Sent, { warnings }: Verdict): Assumed | undefined {
  if (sent.employment_lifecycle !== undefined) return undefined;
  if (sent.last_working_date ?? sent.notice_date)
    return { status: 'resigned', warning: text('imports.assumed_resigned') };
  return warnings.probation_end_date && { status: 'confirmed', warning: text('imports.assumed_confirmed') };
}
