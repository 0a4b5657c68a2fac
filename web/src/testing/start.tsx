import { createMemoryHistory } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Application, createApplication } from '../application.tsx';
import { en } from '../locales/en.ts';
import type { Language } from '../locales/locales.ts';

export const english: Language = { id: 'en', format: 'en-GB', messages: en };

/** Opens the whole application at an address, as a browser would. */
export function start(address: string) {
  const history = createMemoryHistory({ initialEntries: [address] });
  const application = createApplication(history);
  render(<Application application={application} language={english} />);
  return { ...application, user: userEvent.setup(), where: () => application.router.state.location.href };
}
