import { useDebouncedValue } from '@mantine/hooks';
import { duplicates } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { load } from '../../../api/query.ts';
import type { Values } from './values.ts';

const isAddress = (text: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);
const isNumber = (text: string) => /^[A-Za-z0-9._/-]{1,20}$/.test(text);

/** What is worth asking about; nothing while names and addresses are half typed. */
export function askedAbout(values: Values): Record<string, string> {
  const text = (name: keyof Values) => (values[name] ?? '').trim();
  const [email, number, first, last] = [text('email'), text('employee_number'), text('first_name'), text('last_name')];
  return {
    ...(isAddress(email) && { email }),
    ...(isNumber(number) && { employee_number: number }),
    ...(first.length > 1 && last.length > 1 && { first_name: first, last_name: last }),
  };
}

/** While a new person is entered: is the number or the address taken, and who has such a name already? */
export function useDuplicates(values: Values) {
  const asked = JSON.stringify(askedAbout(values));
  const [settled] = useDebouncedValue(asked, 400);
  const query = useQuery({
    ...load(duplicates.find, { query: JSON.parse(settled) as Record<string, string> }),
    enabled: settled !== '{}',
    placeholderData: keepPreviousData,
    // Advice only: when it cannot be had, saving tells.
    retry: false,
  });
  const found = settled === asked && settled !== '{}' ? query.data?.data : undefined;
  return {
    email: found?.email === true,
    employee_number: found?.employee_number === true,
    similar: found?.similar ?? [],
  };
}
