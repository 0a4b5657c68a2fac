import { Stack } from '@mantine/core';
import type { Import, ImportProblems } from '@tenure/contract';
import { Suspense } from 'react';
import { lazyPart } from '../../ui/lazy-part.ts';
import { DateQuestion } from './DateQuestion.tsx';
import { fixedFields } from './has-choices.ts';
import { useImportKind } from './kinds.ts';
import { MissingDepartments } from './MissingDepartments.tsx';
import { RepeatedErrors } from './RepeatedErrors.tsx';

const ValueMatches = lazyPart(() => import('./ValueMatches.tsx'), 'ValueMatches', 'import-values', 'person');

type Props = { found: Import; problems: ImportProblems };

/** The questions about a file's dates and departments, the values to match, and the errors that several rows share. */
export function ProblemList({ found, problems: { dates, repeated } }: Props) {
  const failed = found.counts.failed > 0;
  const { values } = useImportKind();
  const matches = values !== undefined && hasValues(found);
  if (!matches && (!failed || (!dates && repeated.length === 0))) return null;
  return (
    <Stack gap={12} px="gutter" pb={14} fz={13.5}>
      {failed && dates && <DateQuestion found={found} dates={dates} />}
      {matches && (
        <Suspense fallback={null}>
          <ValueMatches key={found.revision} found={found} api={values} />
        </Suspense>
      )}
      {failed && <MissingDepartments found={found} repeated={repeated} />}
      {failed && <RepeatedErrors found={found} repeated={repeated} />}
    </Stack>
  );
}

/** True if texts of the file may need a match, or already have one. */
const hasValues = ({ columns, counts, values }: Import) =>
  columns.some(({ field }) => field === 'band' || fixedFields.includes(field ?? '')) &&
  (counts.failed > 0 || Object.keys(values).length > 0);
