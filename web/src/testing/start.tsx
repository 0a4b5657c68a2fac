import { createMemoryHistory } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Application, createApplication } from '../application.tsx';
import type { Language } from '../locales/locales.ts';
import { allTexts } from './texts.ts';

export const english: Language = { id: 'en', format: 'en-GB', messages: await allTexts('en') };
export const german: Language = { id: 'de', format: 'de-DE', messages: await allTexts('de') };

/** Opens the whole application at an address. */
export function start(address: string, language: Language = english) {
  const history = createMemoryHistory({ initialEntries: [address] });
  const application = createApplication(history);
  const { queries: ofQueries, ...others } = application.queries.getDefaultOptions();
  // as many retries as in a browser, but without their delays
  application.queries.setDefaultOptions({ ...others, queries: { ...ofQueries, retryDelay: 20 } });
  render(<Application application={application} language={language} />);
  const user = userEvent.setup();
  // without delay: on a slow machine a form would autosave between two letters
  const { type } = user.setup({ delay: null });
  return { ...application, user: { ...user, type }, where: () => application.router.state.location.href };
}
