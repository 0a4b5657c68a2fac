import { Button } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { roles, type RoleView } from '@tenure/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { rereadSession, useChangeView } from '../api/role-view.ts';
import { ErrorNotice } from '../ui/ErrorNotice.tsx';
import { useRoleName } from '../ui/role-name.ts';
import { Banner } from './Banner.tsx';

/** How often the banner checks, in milliseconds, for an end that is due: the clock of the service decides. */
const everySoOften = 10_000;

/** Shows on every page that the user views the application as a role, and ends the view. */
export function ViewBanner({ view }: { view: RoleView }) {
  const t = useTranslations('roleView');
  const format = useFormatter();
  const roleName = useRoleName();
  const stop = useChangeView(roles.endView);
  useEnd(view.until);
  const values = {
    role: roleName(view.role),
    companies: view.entity_ids?.length ?? 0,
    time: format.dateTime(new Date(view.until), { timeStyle: 'short' }),
  };
  return (
    <>
      <Banner tone="warn">
        <IconEye size={17} aria-hidden />
        <span style={{ flex: '1 1 12rem' }}>
          <b>{t('viewing', values)}</b> {t('own')}
        </span>
        <Button
          size="compact-sm"
          variant="default"
          loading={stop.isPending}
          onClick={() => stop.mutate({ input: {}, href: `/roles/${view.role_id}` })}
        >
          {t('stop')}
        </Button>
      </Banner>
      <ErrorNotice error={stop.error} />
    </>
  );
}

/** Refetches the session when the view should be over. */
function useEnd(until: string) {
  const queries = useQueryClient();
  useEffect(() => {
    const timer = setInterval(() => {
      if (Date.now() >= Date.parse(until)) void rereadSession(queries);
    }, everySoOften);
    return () => clearInterval(timer);
  }, [queries, until]);
}
