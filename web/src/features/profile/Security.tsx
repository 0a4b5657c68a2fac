import { Button } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { NewPasswordFields, useNewPassword } from '../../ui/NewPassword.tsx';
import { useToast } from '../../ui/toasts.tsx';
import classes from './profile.module.css';
import { Sessions } from './Sessions.tsx';

/** Who can get in as the reader: the password, and the devices that are signed in. */
export const Security = () => (
  <div className={classes['blocks']}>
    <Password />
    <Sessions />
  </div>
);

function Password() {
  const t = useTranslations('ownProfile.password');
  const say = useTranslations('newPassword');
  const toast = useToast();
  const { form, error, isPending, onSubmit } = useNewPassword(() => toast({ text: t('saved') }));
  return (
    <section className={classes['block']}>
      <h2>{t('title')}</h2>
      <p className="muted">{t('lead')}</p>
      <form className={classes['form']} aria-label={t('title')} noValidate onSubmit={onSubmit}>
        <NewPasswordFields form={form} error={error} current={say('currentOwn')} size="sm" />
        <div>
          <Button type="submit" loading={isPending}>
            {say('submit')}
          </Button>
        </div>
      </form>
    </section>
  );
}
