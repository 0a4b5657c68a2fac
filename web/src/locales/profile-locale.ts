import { profile } from '@tenure/contract';
import { useEffect, useEffectEvent } from 'react';
import { useSend } from '../api/query.ts';
import { useSession } from '../api/session.tsx';
import { useLocaleChoice } from './locale.tsx';
import { matchLocale, storedChoice, type LocaleId } from './locales.ts';

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

/** True if the page is in a language that the browser prefers, not in the fallback. */
const isSpokenByBrowser = () => navigator.languages.some((tag) => matchLocale(tag) !== undefined);

/**
 * Applies the profile's language on a device without a stored choice. A profile language that the user did not choose
 * may come from another browser, so it applies only if this browser prefers no available language.
 */
export function useApplyProfileLocale(): void {
  const { user } = useSession();
  const { locale, choose } = useLocaleChoice();
  const isApplied = user?.locale_chosen === true || !isSpokenByBrowser();
  const wanted = user && isApplied ? matchLocale(user.locale) : undefined;
  const apply = useEffectEvent((id: LocaleId) => {
    if (id !== locale && storedChoice() === null) void choose(id);
  });
  useEffect(() => {
    if (wanted) apply(wanted);
  }, [wanted]);
}
