import { Box, NativeSelect, Stack } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { DateField } from '../DateField.tsx';
import { dayInUtc } from './days.ts';

type Props = {
  /** The stored day, which may be in the past. */
  stored: string | null;
  /** The day; '' while none is entered; null if not required. */
  value: string | null;
  onChange: (day: string | null) => void;
  error?: string | undefined;
};

/** Enough days to tell everyone. */
const usual = 14;

/** Whether a second factor is required, and from which day on. */
export function DemandChoice({ stored, value, onChange, error }: Props) {
  const t = useTranslations('signInRules');
  const today = dayInUtc();
  return (
    <Stack gap={10}>
      <NativeSelect
        label={t('factor')}
        description={t(value === null ? 'factorNoneText' : 'factorFromText')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={value === null ? 'none' : 'from'}
        data={[
          { value: 'none', label: t('factorNone') },
          { value: 'from', label: t('factorFrom') },
        ]}
        onChange={(event) => onChange(event.currentTarget.value === 'none' ? null : (stored ?? dayInUtc(usual)))}
      />
      {value !== null && (
        <Box maw="16rem">
          <DateField
            label={t('firstDay')}
            labelled
            required
            value={value}
            onChange={onChange}
            // a stored day in the past may stay
            {...((stored === null || stored > today) && { min: today })}
            error={error}
          />
        </Box>
      )}
    </Stack>
  );
}
