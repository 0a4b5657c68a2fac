import { DirectionProvider } from '@mantine/core';
import { createContext, use, useState, type ReactNode } from 'react';
import { IntlProvider } from 'use-intl';
import type { Messages } from './texts.gen.ts';
import { directionOf, loadLanguage, storeChoice, type Language, type LocaleId } from './locales.ts';

declare module 'use-intl' {
  interface AppConfig {
    Messages: Messages;
  }
}

type Choice = { locale: LocaleId; choose: (id: LocaleId) => Promise<void> };

const ChoiceContext = createContext<Choice | null>(null);

/** The language of the page, and how to choose another one for this device. */
export function useLocaleChoice(): Choice {
  const choice = use(ChoiceContext);
  if (!choice) throw new Error('useLocaleChoice needs a LocaleProvider around it.');
  return choice;
}

type Props = { language: Language; children: ReactNode };

export function LocaleProvider({ language, children }: Props) {
  const [{ id, format, messages }, setLanguage] = useState(language);
  const choose = async (chosen: LocaleId) => {
    const next = await loadLanguage(chosen);
    storeChoice(chosen);
    Object.assign(document.documentElement, { lang: chosen, dir: directionOf(chosen) });
    setLanguage(next);
  };
  const direction = document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr';
  return (
    <ChoiceContext value={{ locale: id, choose }}>
      <DirectionProvider key={direction} initialDirection={direction} detectDirection={false}>
        <IntlProvider
          locale={format}
          messages={messages}
          timeZone={new Intl.DateTimeFormat().resolvedOptions().timeZone}
        >
          {children}
        </IntlProvider>
      </DirectionProvider>
    </ChoiceContext>
  );
}
