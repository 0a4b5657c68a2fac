import { secondFactorDemands } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { RoleDemandButton } from '../../ui/second-factor/RoleDemand.tsx';
import { useDemandWords } from '../../ui/second-factor/use-demand-words.ts';

/** Whether the people with a role need a second factor, and from which day on. */
export function RoleFactor({ id }: { id: number }) {
  const t = useTranslations('signInRules');
  const wordsOf = useDemandWords();
  const [opened, setOpened] = useState(false);
  const { data } = useQuery(load(secondFactorDemands.list, {}));
  const role = data?.data.roles.find((one) => one.id === id);
  if (!role) return null;
  const { second_factor_from: from } = role;
  const label = from === null ? t('demandButton') : t('demandOn', { text: wordsOf(from) });
  return <RoleDemandButton role={role} label={label} opened={opened} onOpen={setOpened} />;
}
