import { profile } from '@tenure/contract';
import { useEffect, useEffectEvent } from 'react';
import { useSend } from '../api/query.ts';
import { useSession } from '../api/session.tsx';
import { useLocaleChoice } from './locale.tsx';
import { offered, storedChoice, type LocaleId } from './locales.ts';

/** What a profile says as long as nobody chose a language. */
const unchosen = 'en';

/** The language of the page; choosing another one also puts it on the profile, for mails and other devices. */
export function useProfileLocale() {
  const { locale, choose } = useLocaleChoice();
  const update = useSend(profile.update);
  return {
    locale,
    choose: async (id: LocaleId) => {
      await choose(id);
      update.mutate({ body: { locale: id } });
    },
  };
}

/** On a device where nobody chose a language yet, the one of the profile applies. */
export function useLocaleOfProfile(): void {
  const { user } = useSession();
  const { locale, choose } = useLocaleChoice();
  const wanted = user && user.locale !== unchosen ? offered(user.locale) : undefined;
  const take = useEffectEvent((id: LocaleId) => {
    if (id !== locale && storedChoice() === null) void choose(id);
  });
  useEffect(() => {
    if (wanted) take(wanted);
  }, [wanted]);
}
