import { createMemoryHistory } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Application, createApplication } from '../application.tsx';
import { en } from '../locales/en.ts';

/** Opens the whole application at an address, as a browser would. */
export function start(address: string) {
  const history = createMemoryHistory({ initialEntries: [address] });
  const application = createApplication(history);
  render(<Application application={application} messages={en} />);
  return { ...application, user: userEvent.setup(), where: () => application.router.state.location.href };
}
