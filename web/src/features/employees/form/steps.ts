import { steps, type Section, type Step } from '../search.ts';
import { fields, type Field, type FieldName } from './fields.ts';

const ofJob: ReadonlySet<Section> = new Set(['work', 'employment']);

/** The step of the form for a new person on which a field stands. */
export const stepOf = ({ section }: Field): Step => (ofJob.has(section) ? 'job' : 'identity');

/** The step of the first field that was refused. */
export function stepWithError(messages: Partial<Record<FieldName, string>>): Step | undefined {
  const first = steps
    .flatMap((step) => fields.filter((field) => stepOf(field) === step))
    .find(({ name }) => name in messages);
  return first && stepOf(first);
}
