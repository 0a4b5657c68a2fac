import { getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { isId } from '../../paths.ts';
import { lazyPart } from '../../ui/lazy-part.ts';
import { LoadingLines } from '../../ui/LoadingLines.tsx';
import { Parts } from './Parts.tsx';
import { ProviderList } from './ProviderList.tsx';

const route = getRouteApi('/shell/settings/sign-in');
const OneProvider = lazyPart(() => import('./OneProvider.tsx'), 'OneProvider', 'sign-in', 'link-person');
const Rules = lazyPart(() => import('./rules/Rules.tsx'), 'Rules', 'sign-in-rules');
const Rule = lazyPart(() => import('./rules/Rule.tsx'), 'Rule', 'sign-in-rules');
const Emergency = lazyPart(() => import('./rules/Emergency.tsx'), 'Emergency', 'sign-in-rules');

/** How people sign in: single sign-on providers, the rules of companies and roles, and emergency accounts. */
export function SignInSettingsPage() {
  return (
    <Suspense fallback={<LoadingLines lines={7} />}>
      <Part />
    </Suspense>
  );
}

function Part() {
  const { provider = '', part = 'providers', rule = '' } = route.useSearch();
  if (provider === 'new' || isId(provider)) return <OneProvider provider={provider} />;
  if (part === 'providers') return <ProviderList />;
  if (part === 'rules' && (rule === 'default' || isId(rule))) return <Rule key={rule} target={rule} />;
  return (
    <Parts part={part}>
      <Suspense fallback={<LoadingLines lines={5} />}>{part === 'rules' ? <Rules /> : <Emergency />}</Suspense>
    </Parts>
  );
}
