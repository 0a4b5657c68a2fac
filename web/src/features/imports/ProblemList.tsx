import type { Import, ImportProblems } from '@tenure/contract';
import { DateQuestion } from './DateQuestion.tsx';
import { RepeatedErrors } from './RepeatedErrors.tsx';

/** The question about the dates of a file, and the errors that several rows share. */
export const ProblemList = ({ found, problems }: { found: Import; problems: ImportProblems }) => (
  <>
    {problems.dates && <DateQuestion found={found} dates={problems.dates} />}
    <RepeatedErrors found={found} repeated={problems.repeated} />
  </>
);
