import { afterAll } from 'vitest';
import { dropDatabases } from './databases.ts';

// hooks run in reverse order, so the file's services have already stopped
afterAll(dropDatabases);
