import { Select, type SelectProps } from '@mantine/core';
import { useMemo } from 'react';
import { useLocale } from 'use-intl';
import { countriesIn } from './countries.ts';

type Props = Omit<SelectProps, 'data' | 'value' | 'onChange'> & { value: string; onChange: (code: string) => void };

/** A select of countries by their names in the language of the page; found by code too. Empty means not stated. */
export function CountrySelect({ value, onChange, ...props }: Props) {
  const locale = useLocale();
  const countries = useMemo(() => {
    const known = countriesIn(locale).map(({ code, name }) => ({ value: code, label: `${name} (${code})` }));
    const isKnown = value === '' || known.some((one) => one.value === value);
    return isKnown ? known : [{ value, label: value }, ...known];
  }, [locale, value]);
  return (
    <Select
      {...props}
      value={value === '' ? null : value}
      onChange={(code) => onChange(code ?? '')}
      data={countries}
      searchable
      clearable
    />
  );
}
