import { Button, Stack } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { NewPasswordFields, useNewPassword } from '../../ui/NewPassword.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { Sessions } from './Sessions.tsx';
import { Block, Blocks, fieldWidth } from './Block.tsx';

/** The password and the sessions of the user. */
export const Security = () => (
  <Blocks>
    <Password />
    <Sessions />
  </Blocks>
);

function Password() {
  const t = useTranslations('ownProfile.password');
  const tPassword = useTranslations('newPassword');
  const toast = useToast();
  const { form, error, isPending, onSubmit } = useNewPassword(() => toast({ text: t('saved') }));
  return (
    <Block title={t('title')} lead={t('lead')}>
      <form aria-label={t('title')} noValidate onSubmit={onSubmit}>
        <Stack gap={16} maw={fieldWidth}>
          <NewPasswordFields form={form} error={error} current={tPassword('currentOwn')} size="sm" />
          <div>
            <Button type="submit" loading={isPending}>
              {tPassword('submit')}
            </Button>
          </div>
        </Stack>
      </form>
    </Block>
  );
}
