import { Stack } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { CopyText } from '../../ui/CopyText.tsx';

type Name =
  | 'returnAddress'
  | 'signedOutAddress'
  | 'backchannelAddress'
  | 'keysAddress'
  | 'acsAddress'
  | 'metadataAddress';

/** An address to enter at the provider. */
export function Address({ name, address }: { name: Name; address: string }) {
  const t = useTranslations('identityProviders');
  return (
    <Stack gap={6} px="gutter" pb={20} maw="44rem">
      <p>{t(name)}</p>
      <CopyText text={address} label={t(name)} />
      <p className="muted small">{t(`${name}Help`)}</p>
    </Stack>
  );
}
