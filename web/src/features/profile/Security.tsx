import { Button, Stack } from '@mantine/core';
import { secondFactors, type KeptToken } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
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

/** How and where the user signs in, and which programs and calendars have access as the user. */
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

/** Tokens with which programs act for the user, shown to users who may create some. */
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

const KeptTokens = lazyPart(() => import('../tokens/KeptTokens.tsx'), 'KeptTokens', 'access-tokens');

/** A form to change the password, or the reason why there is none. */
function Password() {
  const t = useTranslations('ownProfile.password');
  const query = useQuery(load(secondFactors.security, {}));
  // as high as the form
  if (query.isPending) return <LoadingLines lines={14} />;
  // without an answer, the form is shown and the service decides
  const { sign_in_through: provider = null, password_sign_in: isOn = true } = query.data?.data ?? {};
  if (provider !== null)
    return (
      <Block title={t('title')}>
        <p>{t('through', { provider })}</p>
      </Block>
    );
  if (!isOn)
    return (
      <Block title={t('title')}>
        <p>{t('off')}</p>
      </Block>
    );
  return (
    <Block title={t('title')} lead={t('lead')}>
      <NewPassword />
    </Block>
  );
}

function NewPassword() {
  const t = useTranslations('ownProfile.password');
  const tPassword = useTranslations('newPassword');
  const toast = useToast();
  const [kept, setKept] = useState<readonly KeptToken[]>([]);
  const { form, error, isPending, onSubmit } = useNewPassword(({ kept_tokens }) => {
    setKept(kept_tokens);
    toast({ text: t('saved') });
  });
  return (
    <>
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
      {kept.length > 0 && (
        <Suspense fallback={<LoadingLines lines={2} />}>
          <KeptTokens tokens={kept} onRevoked={(id) => setKept((all) => all.filter((one) => one.id !== id))} />
        </Suspense>
      )}
    </>
  );
}
