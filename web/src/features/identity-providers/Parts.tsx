import { Tabs } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { PageHeader } from '../../ui/PageHeader.tsx';
import tabClasses from '../../ui/PageTabs.module.css';
import { signInParts, type SignInPart } from './search.ts';

const route = getRouteApi('/shell/settings/sign-in');

type Props = { part: SignInPart; actions?: ReactNode; children: ReactNode };

/** The header of the sign-in settings with the tabs of their parts. */
export function Parts({ part, actions, children }: Props) {
  const t = useTranslations('identityProviders');
  const navigate = route.useNavigate();
  const to = (next: string | null) =>
    void navigate({ search: next === 'providers' ? {} : { part: next as SignInPart }, replace: true });
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')}>
        {actions}
      </PageHeader>
      <Tabs classNames={tabClasses} value={part} onChange={to} keepMounted={false}>
        <Tabs.List aria-label={t('part.label')}>
          {signInParts.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(`part.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {signInParts.map((one) => (
          <Tabs.Panel key={one} value={one}>
            {one === part && children}
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}
