import { Button } from '@mantine/core';
import { secondFactors } from '@tenure/contract';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { sessionQuery } from '../../api/session.tsx';
import { useSignOut } from '../../api/sign-out.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { RecoveryCodes } from '../../ui/second-factor/RecoveryCodes.tsx';
import { SetUpApp, useSetUpApp } from '../../ui/second-factor/SetUpApp.tsx';
import { AccountForm } from './AccountForm.tsx';
import { safeNext } from './safe-next.ts';
import classes from './SignInPage.module.css';

const route = getRouteApi('/second-factor');

const StepUp = lazyPart(() => import('../../ui/StepUp.tsx'), 'StepUp', 'sign-in');
const FirstPasskey = lazyPart(() => import('./FirstPasskey.tsx'), 'FirstPasskey', 'passkeys');

/** The only screen of a session that must add a second factor first. */
export function SecondFactorPage() {
  const t = useTranslations('twoStep');
  const { next } = route.useSearch();
  const queries = useQueryClient();
  const router = useRouter();
  const signOut = useSignOut();
  const start = useSend(secondFactors.startTotp);
  const [codes, setCodes] = useState<string[]>();
  const { confirm, isPending, ...state } = useSetUpApp(setCodes);
  const goOn = async () => {
    await queries.fetchQuery({ ...sessionQuery, staleTime: 0 });
    router.history.push(safeNext(next));
  };
  const begun = start.data?.data;
  const submit = codes ? () => void goOn() : begun ? confirm : () => start.mutate({});
  return (
    <main className={`${classes['page']} ${classes['single']}`}>
      <div className={classes['main']}>
        <AccountForm
          title={t(codes ? 'codes' : 'required')}
          lead={!codes && t('requiredLead')}
          onSubmit={(event) => {
            event?.preventDefault();
            submit();
          }}
        >
          {codes && <RecoveryCodes codes={codes} />}
          {!codes && begun && (
            <SetUpApp begun={begun} {...state}>
              {null}
            </SetUpApp>
          )}
          <ErrorNotice error={start.error} />
          <Button type="submit" size="md" fullWidth loading={start.isPending || isPending}>
            {t(codes ? 'saved' : begun ? 'confirm' : 'setUp')}
          </Button>
          {!codes && !begun && (
            <Suspense>
              <FirstPasskey onCodes={setCodes} />
            </Suspense>
          )}
          {!codes && (
            <Button variant="subtle" color="gray" onClick={() => signOut.mutate()}>
              {t('signOut')}
            </Button>
          )}
        </AccountForm>
      </div>
      {/* a session older than a few minutes has to be confirmed first */}
      <Suspense>
        <StepUp />
      </Suspense>
    </main>
  );
}
