import { consequences, type Employee } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { load } from '../../../api/query.ts';
import { PersonPicker } from '../../../ui/PersonPicker.tsx';

const duties = [
  'departments_managed',
  'departments_led',
  'direct_reports',
  'open_evaluations',
  'open_probation_reviews',
  'cycles_owned',
] as const;

/** Records that belong to a person; a step that keeps the person does not affect them. */
const records: ReadonlySet<string> = new Set(['probation_reviews', 'kpi_evaluations', 'attachments', 'job_history']);

/** The person's responsibilities as sentences; empty while they are not loaded. */
export const useResponsibilities = (employee: Employee): string[] => useTies(employee, (kind) => !records.has(kind));

/** The same with the records that belong to the person. */
export const useAllTies = (employee: Employee): string[] => useTies(employee, () => true);

function useTies(employee: Employee, isShown: (kind: string) => boolean): string[] {
  const t = useTranslations('ties');
  const found = useQuery({ ...load(consequences.ofEmployee, { params: { id: employee.id } }), retry: false });
  return (found.data?.data.items ?? [])
    .filter(({ kind, count }) => count > 0 && isShown(kind))
    .map(({ kind, count, examples }) => {
      const names = examples.map(({ name }) => name).join(', ');
      const sentence = t(kind, { count });
      return names === '' ? sentence : `${sentence} (${names}${count > examples.length ? ', …' : ''})`;
    });
}

/** Does the person have responsibilities that need a successor? */
export const hasResponsibilities = ({ responsibilities }: Employee): boolean =>
  responsibilities !== undefined && duties.some((duty) => responsibilities[duty] > 0);

type Props = {
  employee: Employee;
  value: string;
  onChange: (id: string) => void;
  required?: boolean;
  error?: string;
};

/** Selects the successor; shown only if there are responsibilities. */
export function SuccessorField({ employee, value, onChange, ...field }: Props) {
  const t = useTranslations('steps');
  if (!hasResponsibilities(employee)) return null;
  return (
    <PersonPicker
      {...field}
      label={t('reassign')}
      description={t('reassignHint')}
      except={employee.id}
      value={value === '' ? undefined : Number(value)}
      onChange={(id) => onChange(id === undefined ? '' : String(id))}
    />
  );
}
