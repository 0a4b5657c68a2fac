import type { Passwords } from './create-cluster.ts';

export interface DatabaseUrls {
  ownerUrl: string;
  appUrl: string;
}

/** Addresses over the socket in the cluster folder, which is the encoded host, so that `new URL` can parse them. */
export function socketUrls(cluster: string, passwords: Passwords): DatabaseUrls {
  return urls(encodeURIComponent(cluster), passwords);
}

export function loopbackUrls(port: number, passwords: Passwords): DatabaseUrls {
  return urls(`127.0.0.1:${port}`, passwords);
}

function urls(host: string, { owner, app }: Passwords): DatabaseUrls {
  return {
    ownerUrl: `postgres://tenure_owner:${owner}@${host}/tenure`,
    appUrl: `postgres://tenure_app:${app}@${host}/tenure`,
  };
}
