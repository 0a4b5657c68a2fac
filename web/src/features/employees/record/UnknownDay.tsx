import { employees } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../../../api/api-error.ts';
import { load } from '../../../api/query.ts';
import { LoadingLines } from '../../../ui/LoadingLines.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { useDayText } from '../../../ui/use-day-text.ts';
import { AsOf } from './AsOf.tsx';

type Props = { id: number; day: string; error: ApiError };

/** A record as of a day for which the service has no job, under the person's current name. */
export function UnknownDay({ id, day, error }: Props) {
  const t = useTranslations('asOf');
  const dayText = useDayText('long');
  const current = useQuery(load(employees.get, { params: { id } }));
  if (current.isPending) return <LoadingLines lines={2} />;
  return (
    <>
      <PageHeader title={current.data?.data.display_name ?? t('title.record', { day: dayText(day) })} />
      <AsOf day={day} today={current.data?.data.today} error={error} />
    </>
  );
}
