import { ActionIcon, Button, Skeleton, Stack } from '@mantine/core';
import { IconAdjustments } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSession } from '../../api/session.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { usePhone } from '../../ui/use-phone.ts';
import type { Arrangement } from './arrangement.ts';
import type { Part } from './parts.ts';
import { Parts } from './Parts.tsx';
import { useHome } from './use-home.ts';
import { arranged, useParts } from './use-parts.tsx';

const FirstHour = lazyPart(() => import('../guide/FirstHour.tsx'), 'FirstHour', 'guide');

const Arrange = lazyPart(() => import('./Arrange.tsx'), 'Arrange', 'home-arrange');

const route = getRouteApi('/shell/');

/** The home page: tasks and quick actions, the user's own work and team, then the figures that the user may see. */
export function HomePage() {
  const t = useTranslations('home');
  const { user, can, seesOthers } = useSession();
  const home = useHome(route.useSearch());
  const parts = useParts(home, route.useSearch());
  const setsUp = can('entities.create') || can('kpi-cycle.create');
  const { guide, home: arrangement = {} } = home.own.data?.data.user.preferences ?? { guide: 'dismissed' };
  const guides = setsUp && guide !== 'dismissed';
  const [isGuideKnown, setGuideKnown] = useState(false);
  const isReady = !home.own.isPending && (!guides || isGuideKnown);
  // an account without a person is shown by its address
  const name = user && user.name !== user.email ? user.name : undefined;
  return (
    <>
      <PageHeader
        title={name === undefined ? t('helloAll') : t('hello', { name })}
        lead={t(seesOthers ? 'lead' : 'ownLead')}
      >
        <ArrangeButton parts={parts} arrangement={arrangement} />
      </PageHeader>
      <Parts
        parts={isReady ? arranged(parts, arrangement) : []}
        first={
          guides && (
            <Suspense>
              <FirstHour onKnown={() => setGuideKnown(true)} />
            </Suspense>
          )
        }
        skeleton={<HomeSkeleton />}
        isStale={home.figures.isPlaceholderData}
      />
    </>
  );
}

type ArrangeProps = { parts: readonly Part[]; arrangement: Arrangement };

function ArrangeButton({ parts, arrangement }: ArrangeProps) {
  const t = useTranslations('home');
  const isPhone = usePhone();
  const [isOpen, setOpen] = useState(false);
  const [isUsed, setUsed] = useState(false);
  const offered = parts.flatMap(({ name, isOffered }) => (isOffered && name !== 'filters' ? name : []));
  const open = () => {
    setUsed(true);
    setOpen(true);
  };
  return (
    <>
      {isPhone ? (
        <ActionIcon variant="default" size={36} aria-label={t('arrange')} onClick={open}>
          <IconAdjustments size={16} aria-hidden />
        </ActionIcon>
      ) : (
        <Button variant="default" leftSection={<IconAdjustments size={16} aria-hidden />} onClick={open}>
          {t('arrange')}
        </Button>
      )}
      {isUsed && (
        <Suspense>
          <Arrange opened={isOpen} onClose={() => setOpen(false)} arrangement={arrangement} offered={offered} />
        </Suspense>
      )}
    </>
  );
}

/** Fills the window, so that no visible content moves while the page grows below. */
function HomeSkeleton() {
  const t = useTranslations('table');
  return (
    <Stack gap={26} mih="80vh">
      <output className="visually-hidden">{t('loading')}</output>
      <Skeleton height={285} />
      <Skeleton height={180} />
      <Skeleton height={180} />
    </Stack>
  );
}
