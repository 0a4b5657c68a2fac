import { auditActions } from '@tenure/contract';
import { expect, test } from 'vitest';
import { rules as evaluationRules } from '../features/kpi-evaluations/transitions.ts';
import { rules as reviewRules } from '../features/probation-reviews/transitions.ts';

test.each([
  ['kpi_evaluation', evaluationRules],
  ['probation_review', reviewRules],
] as const)('the audit log knows every transition of a %s', (noun, rules) => {
  const known: readonly string[] = auditActions[noun];
  const unknown = rules.map(({ action }) => action).filter((action) => !known.includes(action));
  expect(unknown).toEqual([]);
});
