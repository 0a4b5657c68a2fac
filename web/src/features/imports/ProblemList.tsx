import { Stack } from '@mantine/core';
import type { Import, ImportProblems } from '@tenure/contract';
import { DateQuestion } from './DateQuestion.tsx';
import { RepeatedErrors } from './RepeatedErrors.tsx';

type Props = { found: Import; problems: ImportProblems };

/** The question about the dates of a file, and the errors that several rows share; nothing if no row failed. */
export function ProblemList({ found, problems: { dates, repeated } }: Props) {
  if (found.counts.failed === 0 || (!dates && repeated.length === 0)) return null;
  return (
    <Stack gap={12} px="gutter" pb={14} fz={13.5}>
      {dates && <DateQuestion found={found} dates={dates} />}
      <RepeatedErrors found={found} repeated={repeated} />
    </Stack>
  );
}
