import { Button, Flex } from '@mantine/core';
import { IconCloudOff, IconRefresh, IconWifi } from '@tabler/icons-react';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { colorsOf, type Tone } from '../ui/tones.ts';
import { useNewBuild } from './use-new-build.ts';

/** The banners above every page: no network, a newer version. */
export function Banners() {
  const t = useTranslations('errors');
  const network = useNetworkState();
  const { isNew, later } = useNewBuild();
  return (
    <>
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

const Banner = ({ tone, children }: { tone: Tone; children: ReactNode }) => (
  <Flex component="span" wrap="wrap" align="center" gap="4px 9px" px="gutter" py={8} fz="sm" {...colorsOf(tone)}>
    {children}
  </Flex>
);

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
