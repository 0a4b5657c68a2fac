import { useDebouncedValue } from '@mantine/hooks';
import { duplicates } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { load } from '../../../api/query.ts';
import type { Values } from './values.ts';

const isAddress = (text: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);
const isNumber = (text: string) => /^[A-Za-z0-9._/-]{1,20}$/.test(text);

/** The values to check for duplicates; empty while names and addresses are incomplete. */
export function duplicatesQuery(values: Values): Record<string, string> {
  const text = (name: keyof Values) => (values[name] ?? '').trim();
  const [email, number, first, last] = [text('email'), text('employee_number'), text('first_name'), text('last_name')];
  return {
    ...(isAddress(email) && { email }),
    ...(isNumber(number) && { employee_number: number }),
    ...(first.length > 1 && last.length > 1 && { first_name: first, last_name: last }),
  };
}

/** Warns while a new person is entered if the number or address is taken or the name exists. */
export function useDuplicates(values: Values) {
  const asked = JSON.stringify(duplicatesQuery(values));
  const [debounced] = useDebouncedValue(asked, 400);
  const query = useQuery({
    ...load(duplicates.find, { query: JSON.parse(debounced) as Record<string, string> }),
    enabled: debounced !== '{}',
    placeholderData: keepPreviousData,
    // Advisory only: saving reports the same errors.
    retry: false,
  });
  const found = debounced === asked && debounced !== '{}' ? query.data?.data : undefined;
  return {
    email: found?.email === true,
    employee_number: found?.employee_number === true,
    similar: found?.similar ?? [],
  };
}
