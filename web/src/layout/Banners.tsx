import { Button, Flex } from '@mantine/core';
import { IconCloudOff, IconRefresh, IconWifi } from '@tabler/icons-react';
import { Suspense, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSession } from '../api/session.tsx';
import { lazyPart } from '../ui/lazy-part.ts';
import { Banner } from './Banner.tsx';
import { useNewBuild } from './use-new-build.ts';

const BackupBanner = lazyPart(() => import('./BackupBanner.tsx'), 'BackupBanner', 'backups');
const SecondFactorBanner = lazyPart(
  () => import('./SecondFactorBanner.tsx'),
  'SecondFactorBanner',
  'second-factor-banner',
);
const ViewBanner = lazyPart(() => import('./ViewBanner.tsx'), 'ViewBanner', 'role-view');

/** The banners above every page: a view as a role, failing backups, a second factor that is due, no network, a newer version. */
export function Banners() {
  const t = useTranslations('errors');
  const network = useNetworkState();
  const { isNew, later } = useNewBuild();
  const { viewing, can, secondFactor } = useSession();
  return (
    <>
      <output>
        {viewing && (
          <Suspense>
            <ViewBanner view={viewing} />
          </Suspense>
        )}
      </output>
      <output>
        {can('backups.view') && (
          <Suspense>
            <BackupBanner />
          </Suspense>
        )}
      </output>
      <output>
        {!viewing && (secondFactor?.state === 'due' || can('identity.manage')) && (
          <Suspense>
            <SecondFactorBanner />
          </Suspense>
        )}
      </output>
      <output>
        {network === 'offline' && (
          <Banner tone="warn">
            <IconCloudOff size={17} aria-hidden /> {t('offline')}
          </Banner>
        )}
        {network === 'back' && (
          <Banner tone="good">
            <IconWifi size={17} aria-hidden /> {t('online')}
          </Banner>
        )}
      </output>
      <output>
        {isNew && (
          <Banner tone="info">
            <IconRefresh size={17} aria-hidden /> {t('newVersion.notice')}
            <Flex component="span" gap={6} ms="auto">
              <Button size="compact-sm" variant="default" onClick={() => window.location.reload()}>
                {t('newVersion.reload')}
              </Button>
              <Button size="compact-sm" variant="subtle" onClick={later}>
                {t('newVersion.later')}
              </Button>
            </Flex>
          </Banner>
        )}
      </output>
    </>
  );
}

const shownFor = 4_000;

/** The network state; `back` for a moment after the connection returns. */
function useNetworkState(): 'online' | 'offline' | 'back' {
  const [state, setState] = useState<'online' | 'offline' | 'back'>(navigator.onLine ? 'online' : 'offline');
  useEffect(() => {
    const away = () => setState('offline');
    const back = () => setState('back');
    window.addEventListener('offline', away);
    window.addEventListener('online', back);
    return () => {
      window.removeEventListener('offline', away);
      window.removeEventListener('online', back);
    };
  }, []);
  useEffect(() => {
    if (state !== 'back') return undefined;
    const timer = setTimeout(() => setState('online'), shownFor);
    return () => clearTimeout(timer);
  }, [state]);
  return state;
}
