import type { CriteriaSet } from '@tenure/contract';
import type { Texts } from '../../../ui/versions.ts';

/** A criterion of a set as form values. */
export type CriterionTexts = { name: string; weight: string; guidance: string };

/** The weights of a set are whole percentages. */
const whole = 100;

export const criteriaOf = (text: string | undefined): CriterionTexts[] =>
  text ? (JSON.parse(text) as CriterionTexts[]) : [];
export const criteriaText = (rows: readonly CriterionTexts[]): string => JSON.stringify(rows);

/** Shares of 100 in whole percent that differ by at most one; the first ones get the remainder. */
export const evenShares = (count: number): number[] =>
  Array.from({ length: count }, (_, place) => Math.floor(whole / count) + (place < whole % count ? 1 : 0));

/** A typed weight; 0 if it is not a whole number. */
export const weightOf = (text: string): number => (/^\d{1,3}$/.test(text.trim()) ? Number(text) : 0);

/** The form of a set; switches are `1` or empty, and the criteria are one text. */
export const setTexts = (set: CriteriaSet): Texts => ({
  entity_id: String(set.entity_id),
  name: set.name,
  is_proposed: set.is_proposed ? '1' : '',
  may_adapt: set.may_adapt ? '1' : '',
  criteria: criteriaText(
    set.criteria.map(({ name, weight, guidance = '' }) => ({ name, weight: String(weight), guidance })),
  ),
});

/** The form of a new set. */
export const newSet: Texts = {
  entity_id: '',
  name: '',
  is_proposed: '1',
  may_adapt: '1',
  criteria: criteriaText([
    { name: '', weight: '50', guidance: '' },
    { name: '', weight: '50', guidance: '' },
  ]),
};

/** The changed texts as a request body. */
export const setBody = (changed: Texts) => ({
  ...('name' in changed && { name: changed['name'] ?? '' }),
  ...('is_proposed' in changed && { is_proposed: changed['is_proposed'] === '1' }),
  ...('may_adapt' in changed && { may_adapt: changed['may_adapt'] === '1' }),
  ...('criteria' in changed && {
    criteria: criteriaOf(changed['criteria']).map(({ name, weight, guidance }) => ({
      name: name.trim(),
      ...(guidance.trim() !== '' && { guidance: guidance.trim() }),
      // the service refuses a weight that is not a number, at its field
      weight: (/^\d+$/.test(weight.trim()) ? Number(weight) : weight) as number,
    })),
  }),
});
