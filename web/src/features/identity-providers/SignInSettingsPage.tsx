import { getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { isId } from '../../paths.ts';
import { lazyPart } from '../../ui/lazy-part.ts';
import { LoadingLines } from '../../ui/LoadingLines.tsx';
import { ProviderList } from './ProviderList.tsx';

const route = getRouteApi('/shell/settings/sign-in');
const OneProvider = lazyPart(() => import('./OneProvider.tsx'), 'OneProvider', 'sign-in');

/** The providers of single sign-on: all of them, a new one, or one. */
export function SignInSettingsPage() {
  const { provider = '' } = route.useSearch();
  if (provider !== 'new' && !isId(provider)) return <ProviderList />;
  return (
    <Suspense fallback={<LoadingLines lines={7} />}>
      <OneProvider provider={provider} />
    </Suspense>
  );
}
