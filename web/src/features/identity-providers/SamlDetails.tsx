import { Box, Stack } from '@mantine/core';
import type { IdentityProvider, SigningCertificate } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Moment } from '../../ui/Dates.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { SectionTitle } from '../../ui/SectionTitle.tsx';
import { breakable } from '../../ui/breakable.tsx';
import { Address } from './Address.tsx';

const warnDays = 30;
const day = 86_400_000;

/** What a SAML provider needs to know about the service, and the certificates that verify its signatures. */
export function SamlDetails({ provider }: { provider: IdentityProvider }) {
  const t = useTranslations('identityProviders.saml');
  const { certificates } = provider;
  const last = Math.max(...certificates.map(({ valid_until }) => Date.parse(valid_until)));
  const [now] = useState(() => Date.now());
  return (
    <>
      {last < now + warnDays * day && (
        <Box px="gutter" pb={20} maw="48rem">
          <Notice kind={last <= now ? 'danger' : 'warning'}>{t(last <= now ? 'ended' : 'ending')}</Notice>
        </Box>
      )}
      <Address name="acsAddress" address={provider.acs_address} />
      <Address name="metadataAddress" address={provider.metadata_address} />
      <Stack gap={8} px="gutter" pb={24} maw="44rem" renderRoot={(props) => <section {...props} />}>
        <SectionTitle>{t('certificates', { count: certificates.length })}</SectionTitle>
        {certificates.map((certificate) => (
          <Certificate key={certificate.fingerprint} certificate={certificate} now={now} />
        ))}
        <p className="muted small">{t('certificatesHelp')}</p>
        <p className="muted small">{t('noLogout')}</p>
      </Stack>
    </>
  );
}

function Certificate({
  certificate: { subject, fingerprint, valid_from, valid_until },
  now,
}: {
  certificate: SigningCertificate;
  now: number;
}) {
  const t = useTranslations('identityProviders.saml');
  const hasEnded = Date.parse(valid_until) <= now;
  return (
    <Box py={6} style={{ borderBlockStart: '1px solid var(--line)', overflowWrap: 'anywhere' }}>
      <bdi>{subject}</bdi>
      <div>
        {t(hasEnded ? 'endedAt' : 'validUntil')} <Moment value={valid_until} />
        <span className="muted">
          {' · '}
          {t('validFrom')} <Moment value={valid_from} />
        </span>
      </div>
      <div className="muted small">
        {t('fingerprint')} <code>{breakable(fingerprint)}</code>
      </div>
    </Box>
  );
}
