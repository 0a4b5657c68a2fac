import { ensureWebBuild } from './web-build.ts';

ensureWebBuild();
await import('../server/src/main.ts');
