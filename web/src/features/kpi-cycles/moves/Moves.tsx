import { Box, Button, Group, Stack, Title } from '@mantine/core';
import { kpiCycleMoves, type CycleMove } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { load } from '../../../api/query.ts';
import { paths } from '../../../paths.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import { useDayText } from '../../../ui/use-day-text.ts';
import { EvaluationStatus } from '../../../workflow/EvaluationStatus.tsx';
import { DecideForm } from './DecideForm.tsx';

/** More appear as these are decided. */
const shown = 100;

/** People who moved to another department while their evaluation is open; renders nothing if there are none. */
export function Moves({ cycleId }: { cycleId: number }) {
  const t = useTranslations('kpiCycleMoves');
  const [chosen, setChosen] = useState<CycleMove>();
  const toast = useToast();
  const query = useQuery({
    ...load(kpiCycleMoves.list, { params: { id: cycleId }, query: { per_page: shown } }),
    placeholderData: keepPreviousData,
  });
  const { data: moves = [], meta } = query.data ?? {};
  if (!meta || (meta.total === 0 && !chosen)) return null;
  const done = (text: string) => {
    setChosen(undefined);
    toast({ text });
  };
  return (
    <Box component="section" px="gutter" pt={16} aria-labelledby="moves-title">
      <Title order={2} id="moves-title" fz="lg" mb={4}>
        {t('title')}
      </Title>
      <p className="muted">{t('lead', { count: meta.total })}</p>
      <Stack component="ul" gap={0} mt={8}>
        {moves.map((move) => (
          <MoveRow key={move.evaluation_id} move={move} onDecide={() => setChosen(move)} />
        ))}
      </Stack>
      {chosen && (
        <Dialog
          opened
          onClose={() => setChosen(undefined)}
          title={t('dialog', { name: chosen.employee.name, to: chosen.to_department.name })}
        >
          <DecideForm cycleId={cycleId} move={chosen} onDone={done} onClose={() => setChosen(undefined)} />
        </Dialog>
      )}
    </Box>
  );
}

function MoveRow({ move, onDecide }: { move: CycleMove; onDecide: () => void }) {
  const t = useTranslations('kpiCycleMoves');
  const dayText = useDayText();
  const { evaluation_id: id, employee, from_department: from, to_department: to, moved_on: day, status } = move;
  return (
    <Group component="li" gap="4px 16px" py={8} style={{ borderBlockEnd: '1px solid var(--line)' }}>
      <Link to={paths.kpiEvaluation} params={{ id: String(id) }} className="record-link">
        <bdi>{employee.name}</bdi>
      </Link>
      <span>
        {t('move', { from: from.name, to: to.name })}
        {day !== null && <span className="muted"> {t('since', { day: dayText(day) })}</span>}
      </span>
      <EvaluationStatus status={status} />
      <Box flex={1} />
      <Button
        variant="default"
        size="compact-md"
        aria-label={t('decideFor', { name: employee.name })}
        onClick={onDecide}
      >
        {t('decide')}
      </Button>
    </Group>
  );
}
