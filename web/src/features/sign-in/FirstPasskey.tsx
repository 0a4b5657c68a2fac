import { Button } from '@mantine/core';
import { passkeys, secondFactors } from '@tenure/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { call } from '../../api/call.ts';
import { load } from '../../api/query.ts';
import { canUsePasskeys } from '../../ui/passkeys/can-use.ts';
import { makePasskey } from '../../ui/passkeys/ceremony.ts';
import { PasskeyError } from '../../ui/passkeys/PasskeyError.tsx';

/** A passkey as the required second factor; renders nothing where passkeys cannot work. */
export function FirstPasskey({ onCodes }: { onCodes: (codes: string[]) => void }) {
  const t = useTranslations('passkeys');
  const { data } = useQuery(load(secondFactors.security, {}));
  const add = useMutation({
    mutationFn: async () => {
      const { data: begun } = await call(passkeys.options, {});
      const credential = await makePasskey(begun.options);
      return call(passkeys.add, { body: { name: t('first'), credential } });
    },
    onSuccess: ({ data: added }) => onCodes(added.recovery_codes ?? []),
  });
  if (!data?.data.passkeys_work || !canUsePasskeys()) return null;
  return (
    <>
      <PasskeyError error={add.error} />
      <Button variant="default" size="md" fullWidth loading={add.isPending} onClick={() => add.mutate()}>
        {t('instead')}
      </Button>
    </>
  );
}
