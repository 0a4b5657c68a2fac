import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { sessionQuery, useSession } from '../../api/session.tsx';
import { useSignOut } from '../../api/sign-out.ts';
import { paths } from '../../paths.ts';
import { NewPasswordFields, useNewPassword } from '../../ui/NewPassword.tsx';
import { AccountForm } from './AccountForm.tsx';
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
  const { form, error, isPending, onSubmit } = useNewPassword(() => void goOn());
  return (
    <main className={`${classes['page']} ${classes['single']}`}>
      <div className={classes['main']}>
        <AccountForm title={t('title')} lead={forced && t('lead')} onSubmit={onSubmit}>
          <NewPasswordFields form={form} error={error} current={t(forced ? 'current' : 'currentOwn')} />
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
