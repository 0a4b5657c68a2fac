import { profile } from '@tenure/contract';
import { useEffect, useEffectEvent } from 'react';
import { useSend } from '../api/query.ts';
import { useSession } from '../api/session.tsx';
import { useLocaleChoice } from './locale.tsx';
import { matchLocale, storedChoice, type LocaleId } from './locales.ts';

/** The profile's language before the user chooses one. */
const unchosen = 'en';

/** The language of the page. A change is also stored in the profile, for mails and other devices. */
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

/** Applies the profile's language on a device without a stored choice. */
export function useApplyProfileLocale(): void {
  const { user } = useSession();
  const { locale, choose } = useLocaleChoice();
  const wanted = user && user.locale !== unchosen ? matchLocale(user.locale) : undefined;
  const apply = useEffectEvent((id: LocaleId) => {
    if (id !== locale && storedChoice() === null) void choose(id);
  });
  useEffect(() => {
    if (wanted) apply(wanted);
  }, [wanted]);
}
