import { Checkbox } from '@mantine/core';
import type { Employee } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { RecordSource } from './record-source.ts';

/** Lets a new sign-in address take effect without a confirmation. */
export function useAddressNow(source: RecordSource) {
  const [isNow, setNow] = useState(false);
  const write: RecordSource['write'] = (body, then) =>
    source.write(isNow && 'email' in body ? { ...body, address_takes_effect: 'now' } : body, then);
  return { source: { ...source, write }, isNow, setNow };
}

type Props = { employee: Employee; isNow: boolean; setNow: (now: boolean) => void };

/** The checkbox; not needed for a person who never signed in, whose new address takes effect at once. */
export function AddressNow({ employee: { user }, isNow, setNow }: Props) {
  const t = useTranslations('profile.edit');
  if (!user?.last_login_at) return null;
  return (
    <Checkbox label={t('addressNow')} checked={isNow} onChange={({ currentTarget }) => setNow(currentTarget.checked)} />
  );
}
