import type { Employee } from '@tenure/contract';

/** How bank details are shown and read back. */

type Bank = NonNullable<Employee['bank']>;
const maskedFields = ['account_number', 'iban'] as const;

/** The last 4 characters of a number, unless that were all of it. */
export const mask = (value: string) => `****${value.length > 4 ? value.slice(-4) : ''}`;

/** Bank details with the numbers masked. */
export function maskBank(bank: Bank | null): Bank | null {
  if (!bank) return null;
  const masked = { ...bank };
  for (const field of maskedFields) if (bank[field]) masked[field] = mask(bank[field]);
  return masked;
}

/** What was sent, with the stored numbers where it shows them masked: a form sends back what it was shown. */
export function unmaskBank(sent: Bank, stored: Bank | null): Bank {
  const bank = { ...sent };
  for (const field of maskedFields) {
    const known = stored?.[field];
    if (known && sent[field] === mask(known)) bank[field] = known;
  }
  return bank;
}
