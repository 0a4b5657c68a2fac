import { Box, Checkbox, Stack } from '@mantine/core';
import type { CycleDepartment } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { allCycleDepartments } from '../all-cycle-departments.ts';
import { AutoGrid } from '../../../ui/AutoGrid.tsx';
import { ChoiceLine } from '../ChoiceLine.tsx';

type Props = {
  cycleId: number;
  /** Undefined if all departments are chosen. */
  chosen: readonly number[] | undefined;
  onChange: (chosen: readonly number[] | undefined) => void;
};

/** Selects all departments of a cycle, or some of them. */
export function DepartmentChoice({ cycleId, chosen, onChange }: Props) {
  const t = useTranslations('kpiCycles');
  const rows = useQuery(allCycleDepartments(cycleId)).data ?? [];
  if (rows.length < 2) return null;
  return (
    <Stack gap={2}>
      <Checkbox
        label={t('allDepartments', { count: rows.length })}
        checked={chosen === undefined}
        onChange={(event) => onChange(event.currentTarget.checked ? undefined : rows.map((row) => row.department_id))}
      />
      {chosen && <Some rows={rows} chosen={chosen} onChange={onChange} />}
    </Stack>
  );
}

type SomeProps = {
  rows: readonly CycleDepartment[];
  chosen: readonly number[];
  onChange: (chosen: readonly number[]) => void;
};

/** A checkbox for each department. */
function Some({ rows, chosen, onChange }: SomeProps) {
  const t = useTranslations('kpiCycles');
  const toggle = (id: number, on: boolean) => onChange(on ? [...chosen, id] : chosen.filter((one) => one !== id));
  return (
    <Box
      component="section"
      aria-label={t('tabs.departments')}
      // a scrollable list must be reachable by keyboard
      tabIndex={0}
      mah="15rem"
      px={2}
      pos="relative"
      style={{ overflow: 'auto' }}
    >
      <AutoGrid component="ul" min="17rem" gap="0 16px">
        {rows.map(({ department_id: id, department, is_published }) => (
          <li key={id}>
            <ChoiceLine
              type="checkbox"
              label={department.name}
              note={is_published ? t('status.published') : undefined}
              checked={chosen.includes(id)}
              onChange={(event) => toggle(id, event.currentTarget.checked)}
            />
          </li>
        ))}
      </AutoGrid>
    </Box>
  );
}
