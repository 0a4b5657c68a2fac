import { Box } from '@mantine/core';
import type { Employee } from '@tenure/contract';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../../../api/api-error.ts';
import { AsOfNotice } from '../../../ui/AsOfNotice.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';

const route = getRouteApi('/shell/employees/$id');

type Props = {
  day: string;
  /** The current day at the company of the person. */
  today: string | undefined;
  job?: Employee['as_of'];
  /** The service does not know the job of the day. */
  error?: ApiError | null;
};

/** A notice that a record is shown as of a day, with a way to change the day. */
export function AsOf({ day, today, job, error = null }: Props) {
  const t = useTranslations('asOf');
  const navigate = route.useNavigate();
  const go = (as_of: string | undefined) => void navigate({ search: as_of ? { as_of } : {}, state: true });
  return (
    <AsOfNotice what="record" day={day} today={today} onDay={go}>
      {job && <p>{t(job.planned ? 'planned' : job.source === 'assumed' ? 'assumed' : 'known')}</p>}
      {error && (
        <Box mt={8}>
          <ErrorNotice error={error} />
        </Box>
      )}
    </AsOfNotice>
  );
}
