import type { Text } from '@tenure/contract';
import { text } from '@tenure/contract';

/** The reasons why the plan gives a person no evaluation, as messages about one person. */

/** The reasons that come from the employment. */
export const employmentRefusals: Readonly<Record<string, Text>> = {
  inactive: text('kpi_cycles.person_not_active'),
  joining: text('kpi_cycles.person_not_started'),
  leaving: text('kpi_cycles.person_leaving'),
};

export type PlannedTemplate = {
  template_id: number | null;
  template_status: string | null;
  is_foreign_template: boolean;
};

export function templateRefusal({
  template_id,
  template_status,
  is_foreign_template,
}: PlannedTemplate): Text | undefined {
  if (template_id === null) return text('kpi_cycles.person_without_template');
  if (template_status !== 'active') return text('kpi_cycles.person_template_not_active');
  return is_foreign_template ? text('kpi_cycles.person_template_of_other_company') : undefined;
}
