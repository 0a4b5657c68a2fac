import { takeNoOptions } from './command-line.ts';
import { ensureWebBuild } from './web-build.ts';

takeNoOptions('start');
ensureWebBuild();
await import('../server/src/main.ts');
