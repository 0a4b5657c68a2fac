import { Box, Group, Stack } from '@mantine/core';
import { kpiEvaluations, type EvaluationActivity } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { load } from '../../../../api/query.ts';
import { Activity } from '../../../../workflow/Activity.tsx';
import { useFigures } from '../figures.ts';

type Props = { id: number; page: number | undefined; onPage: (page: number) => void };

const known = [
  'publish',
  'self-assessment',
  'extension-request',
  'extension-decision',
  'extend',
  'former-draft',
  'days-changed',
  'stay',
  'split',
  'skip-self-assessment',
  'reviewer',
  'manager-review',
  'return',
  'hr-review',
  'accept',
  'dispute',
  'record-answer',
  'deem-accepted',
  'resolve-dispute',
  'close',
  'force-close',
  'cancel',
  'restore',
  'reopen',
] as const;

/** The history of an evaluation: time, actor, reason and any result that was dropped. */
export function ActivityPart({ id, page, onPage }: Props) {
  const t = useTranslations('kpiEvaluationActivity');
  const states = useTranslations('evaluationStatus');
  const query = useQuery({
    ...load(kpiEvaluations.activity, { params: { id }, query: page === undefined ? {} : { page } }),
    placeholderData: keepPreviousData,
  });
  const did = ({ action }: EvaluationActivity) => {
    const name = known.find((one) => one === action);
    return name ? t(`did.${name}`) : action;
  };
  return (
    <Activity<EvaluationActivity>
      query={query}
      did={did}
      state={states}
      extra={({ snapshot }) => snapshot && <Snapshot snapshot={snapshot} />}
      onPage={onPage}
    />
  );
}

function Snapshot({ snapshot }: { snapshot: NonNullable<EvaluationActivity['snapshot']> }) {
  const t = useTranslations('kpiEvaluationActivity');
  const { score, percent, given } = useFigures();
  const { overall_score: overall, overall_percentage: percentage, self_overall_score: self, items } = snapshot;
  return (
    <details>
      <Box component="summary" w="fit-content" c="var(--accent)" style={{ cursor: 'pointer' }}>
        {t('givenUp')}
      </Box>
      <Stack component="dl" gap={3} mt={6}>
        {overall !== null && (
          <Group justify="space-between" gap={16} maw="22rem">
            <dt>{t('result')}</dt>
            <dd className="numbers">
              {[score(overall), percentage !== null && percent(percentage)].filter(Boolean).join(' · ')}
            </dd>
          </Group>
        )}
        {self !== null && (
          <Group justify="space-between" gap={16} maw="22rem">
            <dt>{t('self')}</dt>
            <dd className="numbers">{score(self)}</dd>
          </Group>
        )}
        {items.map((item) => {
          const shown = item.final_score ?? item.manager_score;
          return (
            <Group key={item.id} justify="space-between" gap={16} maw="22rem">
              <dt>
                <bdi>{item.name}</bdi>
              </dt>
              <dd className="numbers">{shown === null ? '–' : given(shown)}</dd>
            </Group>
          );
        })}
      </Stack>
    </details>
  );
}
