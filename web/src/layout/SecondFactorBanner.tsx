import { Button, Flex } from '@mantine/core';
import { IconShieldLock } from '@tabler/icons-react';
import { secondFactorDemands } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { load, useSend } from '../api/query.ts';
import { useSession } from '../api/session.tsx';
import { paths } from '../paths.ts';
import { dayInUtc } from '../ui/second-factor/days.ts';
import { useDayText } from '../ui/use-day-text.ts';
import { Banner } from './Banner.tsx';

/** Shows that a second factor is due, and asks administrators until one of them decides who needs one. */
export function SecondFactorBanner() {
  const { secondFactor, can } = useSession();
  if (secondFactor?.state === 'due') return <Due from={secondFactor.from} />;
  return can('identity.manage') ? <Ask /> : null;
}

function Due({ from }: { from: string | null }) {
  const t = useTranslations('secondFactorBanner');
  const dayText = useDayText();
  const isAhead = from !== null && from > dayInUtc();
  return (
    <Banner tone="warn">
      <IconShieldLock size={17} aria-hidden />
      <span style={{ flex: '1 1 12rem' }}>{isAhead ? t('due', { date: dayText(from) }) : t('now')}</span>
      <Link to={paths.profile} search={{ part: 'security' }}>
        {t('setUp')}
      </Link>
    </Banner>
  );
}

function Ask() {
  const t = useTranslations('secondFactorBanner');
  const { data } = useQuery({ ...load(secondFactorDemands.list, {}), staleTime: Infinity });
  const decide = useSend(secondFactorDemands.decide);
  if (!data || data.data.is_decided) return null;
  return (
    <Banner tone="info">
      <IconShieldLock size={17} aria-hidden />
      <span style={{ flex: '1 1 16rem' }}>{t('ask')}</span>
      <Flex component="span" wrap="wrap" align="center" gap="4px 14px">
        <Link to={paths.signInSettings} search={{ part: 'rules' }}>
          {t('decide')}
        </Link>
        <Button size="compact-sm" variant="subtle" loading={decide.isPending} onClick={() => decide.mutate({})}>
          {t('keep')}
        </Button>
      </Flex>
    </Banner>
  );
}
