import { Select, type SelectProps } from '@mantine/core';
import { useMemo } from 'react';

/** A select of the time zones that the browser knows. */
export function TimezoneSelect(props: Omit<SelectProps, 'data'>) {
  const zones = useMemo(() => [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])], []);
  return <Select {...props} data={zones} searchable limit={60} allowDeselect={false} />;
}
