import { Button, Stack } from '@mantine/core';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { useSession } from '../../api/session.tsx';
import { NewPasswordFields, useNewPassword } from '../../ui/NewPassword.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { LoadingLines } from '../../ui/LoadingLines.tsx';
import { LinkedSignIns } from './LinkedSignIns.tsx';
import { Sessions } from './Sessions.tsx';
import { Block, Blocks, fieldWidth } from './Block.tsx';

const TwoStepBlock = lazyPart(() => import('./TwoStep.tsx'), 'TwoStep', 'two-step');

const OwnTokens = lazyPart(() => import('../tokens/OwnTokens.tsx'), 'OwnTokens', 'access-tokens', 'permissions');

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

const CalendarFeedsBlock = lazyPart(() => import('./CalendarFeeds.tsx'), 'CalendarFeeds', 'calendar-feeds');

const CalendarFeeds = () => (
  <Suspense fallback={<LoadingLines lines={3} />}>
    <CalendarFeedsBlock />
  </Suspense>
);

/** How the user signs in and where, and what reads as the user: programs and calendars. */
export const Security = () => (
  <Blocks>
    <Password />
    <Passkeys />
    <TwoStep />
    <LinkedSignIns />
    <Sessions />
    <Tokens />
    <CalendarFeeds />
  </Blocks>
);

/** Tokens with which programs act for the user, for those who may make some. */
function Tokens() {
  const t = useTranslations('ownProfile.tokens');
  const { can } = useSession();
  if (!can('tokens.create')) return null;
  return (
    <Block title={t('title')} lead={t('lead')}>
      <Suspense fallback={<LoadingLines lines={3} />}>
        <OwnTokens />
      </Suspense>
    </Block>
  );
}

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
