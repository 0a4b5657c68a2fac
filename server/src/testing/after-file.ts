import { afterAll } from 'vitest';
import { dropDatabases } from './databases.ts';

// Hooks run in reverse, so the services of the file have ended.
afterAll(dropDatabases);
