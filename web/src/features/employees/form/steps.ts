import { steps, type Section, type Step } from '../search.ts';
import { fields, type Field, type FieldName } from './fields.ts';

const ofJob: ReadonlySet<Section> = new Set(['work', 'employment']);

/** The step that shows a field in the form for a new person. */
export const stepOf = ({ section }: Field): Step => (ofJob.has(section) ? 'job' : 'identity');

/** The step of the first refused field. */
export function stepWithError(messages: Partial<Record<FieldName, string>>): Step | undefined {
  const first = steps
    .flatMap((step) => fields.filter((field) => stepOf(field) === step))
    .find(({ name }) => name in messages);
  return first && stepOf(first);
}
