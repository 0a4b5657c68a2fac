import { Stack } from '@mantine/core';
import type { KpiEvaluationRow } from '@tenure/contract';
import { EvaluationStatus } from '../../../workflow/EvaluationStatus.tsx';
import { stages, stagesDone } from '../stages.ts';
import classes from '../../../ui/PersonRows.module.css';

/** The status of an evaluation, as text and as a step of its workflow. */
export function StageSteps({ row }: { row: KpiEvaluationRow }) {
  const done = stagesDone(row.status);
  return (
    <Stack gap={5} align="flex-start">
      <EvaluationStatus status={row.status} />
      {done >= 0 && (
        <span className={classes['steps']} aria-hidden>
          {stages.map((stage, index) => (
            <span key={stage} data-state={index < done ? 'done' : index === done ? 'now' : undefined} />
          ))}
        </span>
      )}
    </Stack>
  );
}
