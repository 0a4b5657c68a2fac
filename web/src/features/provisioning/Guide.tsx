import { Code, Stack } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { CopyText } from '../../ui/CopyText.tsx';
import { breakable } from '../../ui/breakable.tsx';
import { DataTable, type Column } from '../../ui/DataTable.tsx';
import { Pills } from '../../ui/Pills.tsx';
import { ScrollPane } from '../../ui/ScrollPane.tsx';
import { SectionTitle } from '../../ui/SectionTitle.tsx';
import { guides, type GuideName } from './parts.ts';

/** With this parameter in the address, Entra ID follows RFC 7644 more closely. */
const strict = '?aadOptscim062020';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

const steps = {
  entra: ['app', 'access', 'mappings', 'subject', 'scope', 'live'],
  okta: ['app', 'access', 'toApp', 'scope', 'live'],
} as const;

const mappings = [
  { there: 'userPrincipalName', scim: 'userName' },
  { there: 'Switch([IsSoftDeleted], , "False", "True", "True", "False")', scim: 'active' },
  { there: 'mail', scim: 'emails[type eq "work"].value' },
  { there: 'employeeId', scim: `${enterprise}:employeeNumber` },
];

/** How to set up a connection with this address at an identity provider. */
export function Guide({ address }: { address: string }) {
  const [guide, setGuide] = useState<GuideName>('entra');
  return (
    <ScrollPane>
      <Steps guide={guide} onGuide={setGuide} address={address} />
    </ScrollPane>
  );
}

type Props = { guide: GuideName; onGuide: (guide: GuideName) => void; address?: string };

/** The steps at an identity provider, and the values to paste there. */
export function Steps({ guide, onGuide, address }: Props) {
  const t = useTranslations('provisioningGuide');
  const b = (text: ReactNode) => <b>{text}</b>;
  return (
    <Stack gap={20} px="gutter" pt={16} pb={32} maw="46rem">
      <Pills
        label={t('choose')}
        options={guides.map((value) => ({ value, label: t(value) }))}
        value={guide}
        onChange={onGuide}
      />
      <Stack
        gap={10}
        ps={22}
        lh={1.5}
        style={{ listStyle: 'decimal' }}
        renderRoot={(props) => <ol aria-label={t('title', { provider: t(guide) })} {...props} />}
      >
        {steps[guide].map((step) => (
          <li key={step}>{t.rich(`steps.${guide}.${step}` as 'steps.entra.app', { b })}</li>
        ))}
      </Stack>
      <Stack gap={8} renderRoot={(props) => <section {...props} />}>
        <SectionTitle>{t('values')}</SectionTitle>
        <Values guide={guide} address={address} />
      </Stack>
      {guide === 'entra' && <Mappings />}
    </Stack>
  );
}

function Values({ guide, address }: { guide: GuideName; address: string | undefined }) {
  const t = useTranslations('provisioningGuide');
  const isEntra = guide === 'entra';
  const url = t(`with.${guide}.url`);
  return (
    <dl>
      <Value label={url} help={isEntra ? t('urlHelp') : undefined}>
        {address === undefined ? (
          <em>{isEntra ? t('addressWith', { end: strict }) : t('address')}</em>
        ) : (
          <CopyText text={isEntra ? `${address}${strict}` : address} label={url} />
        )}
      </Value>
      {!isEntra && (
        <>
          <Value label={t('with.okta.unique')}>
            <CopyText text="userName" label={t('with.okta.unique')} />
          </Value>
          <Value label={t('with.okta.mode')}>
            <Code>{t('with.okta.header')}</Code>
          </Value>
        </>
      )}
      <Value label={t(`with.${guide}.token`)}>
        <em>{t('token')}</em>
      </Value>
    </dl>
  );
}

const Value = ({ label, help, children }: { label: string; help?: string | undefined; children: ReactNode }) => (
  <Stack gap={4} pb={12}>
    <dt className="muted small">{label}</dt>
    <dd>
      {children}
      {help !== undefined && <p className="muted small">{help}</p>}
    </dd>
  </Stack>
);

function Mappings() {
  const t = useTranslations('provisioningGuide');
  const columns: Column<(typeof mappings)[number]>[] = [
    { id: 'there', header: t('there'), cell: ({ there }) => <code style={wrapped}>{there}</code> },
    { id: 'scim', header: t('scim'), cell: ({ scim }) => <code style={wrapped}>{breakable(scim)}</code> },
  ];
  return (
    <section>
      <SectionTitle pb={8}>{t('mappings')}</SectionTitle>
      <DataTable label={t('mappings')} columns={columns} rows={mappings} rowKey={({ scim }) => scim} compact />
    </section>
  );
}

const wrapped = { whiteSpace: 'normal', overflowWrap: 'anywhere' } as const;
