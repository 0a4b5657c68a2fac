import { DirectionProvider } from '@mantine/core';
import { type ReactNode } from 'react';
import { IntlProvider } from 'use-intl';
import { en, type Messages } from './en.ts';

declare module 'use-intl' {
  interface AppConfig {
    Messages: Messages;
  }
}

/** Every language on offer, in its own name. `format` decides how dates and numbers are written. */
export const locales = [{ id: 'en', name: 'English', format: 'en-GB' }] as const;
type Locale = (typeof locales)[number];

const chosen = (): Locale => locales.find((one) => one.id === localStorage.getItem('tenure.locale')) ?? locales[0];

/** Loads the texts of the chosen language; English stands in for what is missing there. */
export const loadMessages = (): Promise<Messages> => Promise.resolve(en);

type Props = { messages: Messages; children: ReactNode };

export function LocaleProvider({ messages, children }: Props) {
  const direction = document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr';
  return (
    <DirectionProvider initialDirection={direction} detectDirection={false}>
      <IntlProvider
        locale={chosen().format}
        messages={messages}
        timeZone={new Intl.DateTimeFormat().resolvedOptions().timeZone}
      >
        {children}
      </IntlProvider>
    </DirectionProvider>
  );
}
