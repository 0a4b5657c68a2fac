import { Textarea } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../../../api/api-error.ts';

type Props = { value: string; onChange: (text: string) => void; error: ApiError | null; required?: boolean };

/** The reason for an action; it is stored with the cycle. */
export function Reason({ value, onChange, error, required = false }: Props) {
  const t = useTranslations('kpiCycles');
  return (
    <Textarea
      label={t('reason')}
      description={t('reasonHint')}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error?.fieldErrors['reason']}
      maxLength={500}
      rows={3}
      required={required}
    />
  );
}
