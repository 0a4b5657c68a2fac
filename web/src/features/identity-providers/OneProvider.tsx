import { NewProvider } from './NewProvider.tsx';
import { Provider } from './Provider.tsx';

/** The form of a new provider, or the provider with an id. */
export const OneProvider = ({ provider }: { provider: string }) =>
  provider === 'new' ? <NewProvider /> : <Provider key={provider} id={Number(provider)} />;
