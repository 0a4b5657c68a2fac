import { join } from 'node:path';
import { succeed } from './container.ts';

/** Creates a self-signed certificate, with the files that docs/install.md names; returns the path of the first. */
export function writeCertificate(folder: string, name: string): string {
  const certificate = join(folder, 'fullchain.pem');
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
  const files = ['-keyout', join(folder, 'privkey.pem'), '-out', certificate];
  succeed('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files]);
  return certificate;
}
