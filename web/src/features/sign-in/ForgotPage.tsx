import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconMailForward } from '@tabler/icons-react';
import { accountLinks, type Reply } from '@tenure/contract';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../../api/api-error.ts';
import { call, type Input } from '../../api/call.ts';
import { paths } from '../../paths.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Message } from '../../ui/Message.tsx';
import { AccountForm } from './AccountForm.tsx';
import { LanguageChoice } from './LanguageChoice.tsx';
import { rememberedEmail } from './remembered-email.ts';
import classes from './SignInPage.module.css';

/** Requests a link to set a new password. The answer is the same whether or not the account exists. */
export function ForgotPage() {
  const t = useTranslations('forgotPassword');
  const send = useMutation<Reply<typeof accountLinks.requestReset>, ApiError, Input<typeof accountLinks.requestReset>>({
    mutationFn: (input) => call(accountLinks.requestReset, input),
  });
  const form = useForm({ mode: 'uncontrolled', initialValues: { email: rememberedEmail() } });
  const onError = (error: ApiError) => {
    form.setErrors(error.fieldErrors);
    form.getInputNode('email')?.focus();
  };
  const back = (
    <Button component={Link} to={paths.signIn} variant="subtle" color="gray">
      {t('back')}
    </Button>
  );
  return (
    <div className={`${classes['page']} ${classes['single']}`}>
      <main className={classes['main']}>
        {send.data ? (
          <Message page icon={IconMailForward} title={t('sentTitle')} actions={back}>
            {send.data.message} {t('sentText')}
          </Message>
        ) : (
          <AccountForm
            title={t('title')}
            lead={t('lead')}
            onSubmit={form.onSubmit((body) => send.mutate({ body }, { onError }))}
          >
            <ErrorNotice error={send.error} fields={['email']} />
            <TextInput
              key={form.key('email')}
              {...form.getInputProps('email')}
              label={t('email')}
              type="email"
              autoComplete="username"
              size="md"
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form is the whole page
              autoFocus
            />
            <Button type="submit" size="md" fullWidth loading={send.isPending}>
              {t('submit')}
            </Button>
            {back}
          </AccountForm>
        )}
        <LanguageChoice />
      </main>
    </div>
  );
}
