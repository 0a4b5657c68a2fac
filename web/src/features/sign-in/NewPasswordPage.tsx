import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { sessionQuery, useSession } from '../../api/session.tsx';
import { useSignOut } from '../../api/sign-out.ts';
import { paths } from '../../paths.ts';
import { NewPasswordFields, useNewPassword } from '../../ui/NewPassword.tsx';
import { AccountForm } from './AccountForm.tsx';
import { clearOneTime, typedOneTime } from './one-time.ts';
import { safeNext } from './safe-next.ts';
import classes from './SignInPage.module.css';

const route = getRouteApi('/new-password');

/** Changes the user's password; with a one-time password, it is the only available screen. */
export function NewPasswordPage() {
  const t = useTranslations('newPassword');
  const { user } = useSession();
  const signOut = useSignOut();
  const { next } = route.useSearch();
  const queries = useQueryClient();
  const router = useRouter();
  const forced = user?.must_change_password === true;
  const goOn = async () => {
    await queries.fetchQuery({ ...sessionQuery, staleTime: 0 });
    router.history.push(safeNext(next));
  };
  const [typed] = useState(typedOneTime);
  useEffect(() => clearOneTime, []);
  const { form, error, isPending, onSubmit } = useNewPassword(() => void goOn(), typed);
  // requested only if it was not just typed, or was not accepted
  const asks = typed === undefined || error?.fieldErrors['current_password'] !== undefined;
  const title = forced && typed !== undefined ? t('welcome', { name: user.name }) : t('title');
  return (
    <main className={`${classes['page']} ${classes['single']}`}>
      <div className={classes['main']}>
        <AccountForm title={title} lead={forced && t(asks ? 'lead' : 'welcomeLead')} onSubmit={onSubmit}>
          <NewPasswordFields
            form={form}
            error={error}
            {...(asks && { current: t(forced ? 'current' : 'currentOwn') })}
          />
          <Button type="submit" size="md" fullWidth loading={isPending}>
            {t('submit')}
          </Button>
          {forced ? (
            <Button variant="subtle" color="gray" onClick={() => signOut.mutate()}>
              {t('signOut')}
            </Button>
          ) : (
            <Button component={Link} to={paths.home} variant="subtle" color="gray">
              {t('back')}
            </Button>
          )}
        </AccountForm>
      </div>
    </main>
  );
}
