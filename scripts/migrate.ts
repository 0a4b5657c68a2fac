import { ensureWebBuild } from './web-build.ts';

/** `npm run migrate`: brings the database to this release; docs/upgrade.md says when. */

ensureWebBuild();
process.env.MIGRATE = 'only';
await import('../server/src/main.ts');
