import { takeNoOptions } from './command-line.ts';
import { ensureWebBuild } from './web-build.ts';

/** `tenure migrate`, or `npm run migrate` of a checkout: migrates the database to this release; docs/upgrade.md says when. */

takeNoOptions('migrate');
ensureWebBuild();
process.env.MIGRATE = 'only';
await import('../server/src/main.ts');
