import { existsSync, readFileSync } from 'node:fs';
import { takeNoOptions } from './command-line.ts';
import { releaseFile } from './commands.ts';

/** `tenure version`: release.json on one line, or the version of a checkout. */

type Release = { version: string; commit?: string; node?: string; postgres?: string | null };

takeNoOptions('version');
const file = existsSync(releaseFile) ? releaseFile : new URL('../package.json', import.meta.url);
const { version, commit, postgres } = JSON.parse(readFileSync(file, 'utf8')) as Release;
const parts = [`Node ${process.versions.node}`, ...(postgres ? [`PostgreSQL ${postgres}`] : [])];
console.log(`Tenure ${version}${commit ? ` (${commit})` : ''}, ${parts.join(', ')}`);
