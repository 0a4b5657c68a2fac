import type { Employee } from '@tenure/contract';

/** Bank details: masking for display and unmasking of input. */

type Bank = NonNullable<Employee['bank']>;
const maskedFields = ['account_number', 'iban'] as const;

/** Shows the last 4 characters of a longer number. */
export const mask = (value: string) => `****${value.length > 4 ? value.slice(-4) : ''}`;

/** Bank details with the numbers masked. */
export function maskBank(bank: Bank | null): Bank | null {
  if (!bank) return null;
  const masked = { ...bank };
  for (const field of maskedFields) if (bank[field]) masked[field] = mask(bank[field]);
  return masked;
}

/** Replaces masked numbers in the input with the stored ones, because a form sends back what it showed. */
export function unmaskBank(sent: Bank, stored: Bank | null): Bank {
  const bank = { ...sent };
  for (const field of maskedFields) {
    const known = stored?.[field];
    if (known && sent[field] === mask(known)) bank[field] = known;
  }
  return bank;
}
