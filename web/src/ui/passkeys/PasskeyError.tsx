import { useTranslations } from 'use-intl';
import { ApiError } from '../../api/api-error.ts';
import { ErrorNotice } from '../ErrorNotice.tsx';
import { PasskeyRefused } from './ceremony.ts';

type Props = { error: Error | null; fields?: readonly string[] };

/** Why the browser or the service rejected a passkey. */
export function PasskeyError({ error, ...props }: Props) {
  const t = useTranslations('passkeys');
  if (error === null || error instanceof ApiError) return <ErrorNotice error={error} {...props} />;
  const why = error instanceof PasskeyRefused ? error.why : 'failed';
  return <p role="alert">{t(why)}</p>;
}
