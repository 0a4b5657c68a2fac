import { Button } from '@mantine/core';
import { IconCloudOff, IconRefresh, IconWifi } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import classes from './Banners.module.css';
import { useNewBuild } from './use-new-build.ts';

/** What concerns every page, in a line above it: no network, a newer version. */
export function Banners() {
  const t = useTranslations('errors');
  const network = useNetworkState();
  const { isNew, later } = useNewBuild();
  return (
    <>
      <output>
        {network === 'offline' && (
          <span className={classes['banner']} data-tone="warn">
            <IconCloudOff size={17} aria-hidden /> {t('offline')}
          </span>
        )}
        {network === 'back' && (
          <span className={classes['banner']} data-tone="good">
            <IconWifi size={17} aria-hidden /> {t('online')}
          </span>
        )}
      </output>
      <output>
        {isNew && (
          <span className={classes['banner']} data-tone="info">
            <IconRefresh size={17} aria-hidden /> {t('newVersion.notice')}
            <span className={classes['buttons']}>
              <Button size="compact-sm" variant="default" onClick={() => window.location.reload()}>
                {t('newVersion.reload')}
              </Button>
              <Button size="compact-sm" variant="subtle" onClick={later}>
                {t('newVersion.later')}
              </Button>
            </span>
          </span>
        )}
      </output>
    </>
  );
}

const shownFor = 4_000;

/** Whether there is a network, and for a moment that it is there again. */
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
