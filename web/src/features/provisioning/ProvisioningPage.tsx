import { getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { isId } from '../../paths.ts';
import { lazyPart } from '../../ui/lazy-part.ts';
import { LoadingLines } from '../../ui/LoadingLines.tsx';
import { ConnectionList } from './ConnectionList.tsx';
import { guides } from './parts.ts';

const route = getRouteApi('/shell/settings/provisioning');
const Connection = lazyPart(() => import('./Connection.tsx'), 'Connection');
const NewConnection = lazyPart(() => import('./NewConnection.tsx'), 'NewConnection');
const GuidePage = lazyPart(() => import('./GuidePage.tsx'), 'GuidePage', 'provisioning-guide');

/** The SCIM connections of identity providers: the list, one of them, the form for a new one, or a guide. */
export function ProvisioningPage() {
  return (
    <Suspense fallback={<LoadingLines lines={7} />}>
      <Part />
    </Suspense>
  );
}

function Part() {
  const { connection = '', guide: wanted } = route.useSearch();
  const guide = guides.find((one) => one === wanted);
  if (connection === 'new') return <NewConnection />;
  if (isId(connection)) return <Connection key={connection} id={Number(connection)} />;
  return guide ? <GuidePage guide={guide} /> : <ConnectionList />;
}
