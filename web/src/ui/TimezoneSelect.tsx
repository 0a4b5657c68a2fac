import { Select, type SelectProps } from '@mantine/core';
import { useMemo } from 'react';

/** One of the time zones this browser knows. */
export function TimezoneSelect(props: Omit<SelectProps, 'data'>) {
  const zones = useMemo(() => [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])], []);
  return <Select {...props} data={zones} searchable limit={60} allowDeselect={false} />;
}
