import { Button, Stack } from '@mantine/core';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { NewPasswordFields, useNewPassword } from '../../ui/NewPassword.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { LoadingLines } from '../../ui/LoadingLines.tsx';
import { LinkedSignIns } from './LinkedSignIns.tsx';
import { Sessions } from './Sessions.tsx';
import { Block, Blocks, fieldWidth } from './Block.tsx';

const TwoStepBlock = lazyPart(() => import('./TwoStep.tsx'), 'TwoStep', 'two-step');

const TwoStep = () => (
  <Suspense fallback={<LoadingLines lines={3} />}>
    <TwoStepBlock />
  </Suspense>
);

const PasskeysBlock = lazyPart(() => import('./Passkeys.tsx'), 'Passkeys', 'passkeys', 'two-step');

const Passkeys = () => (
  <Suspense fallback={<LoadingLines lines={3} />}>
    <PasskeysBlock />
  </Suspense>
);

/** The password, the passkeys, the second factor, the linked sign-ins and the sessions of the user. */
export const Security = () => (
  <Blocks>
    <Password />
    <Passkeys />
    <TwoStep />
    <LinkedSignIns />
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
