import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

const long = '**/*.long.test.ts';
const extended = '**/*.extended.test.ts';
const s3 = '**/*.s3.test.ts';
const tools = '**/*.tools.test.ts';
const scim = '**/*.scim.test.ts';

/** These compare whole rows, or tables with the migrations. */
const exact = [
  'server/src/backup/{backup,bucket,restore}.test.ts',
  'server/src/features/{kpi-evaluations,probation-reviews}/every-step.test.ts',
  'server/src/features/employee-imports/{import,undo}.test.ts',
  'server/src/features/employees/{bulk/bulk,lifecycle/lifecycle}.test.ts',
  'server/src/features/departments/routes.test.ts',
  'server/src/http/csrf.test.ts',
  'server/src/security/{role-views,side-doors}.test.ts',
  'server/src/testing/schema-text.test.ts',
];

/** Tests of the service against a real PostgreSQL. */
const service = (name: string, include: string[], exclude: string[] = []) => ({
  test: {
    name,
    include,
    exclude: [...configDefaults.exclude, ...exclude],
    environment: 'node',
    pool: 'threads' as const,
    isolate: false,
    testTimeout: 40_000,
    hookTimeout: 60_000,
    // What is polled for: two processors shared by the tests, a database and services may take their time.
    expect: { poll: { timeout: 15_000 } },
    globalSetup: ['./server/src/testing/setup.ts'],
    setupFiles: ['./server/src/testing/after-file.ts'],
  },
});

export default defineConfig({
  test: {
    // Tests wait a good deal, for a database or for time to pass: one more than there are processors.
    maxWorkers: availableParallelism() + 1,
    projects: [
      service(
        'server',
        ['contract/src/**/*.test.ts', 'server/src/**/*.test.ts', 'scripts/**/*.test.ts'],
        [long, extended, s3, tools, scim],
      ),
      // the same while a later release adds columns: `npm run test:columns`
      service(
        'columns',
        ['server/src/**/*.test.ts'],
        process.env.COLUMNS_TEST === 'on' ? [long, extended, s3, tools, scim, ...exact] : ['**'],
      ),
      // real processes, backups, moves and random input: `npm run test:extended`
      service('extended', [`server/src/${extended}`, `scripts/${extended}`]),
      // sweeps of minutes: `npm run test:long`
      service('long', [`server/src/${long}`]),
      // object stores of others: `npm run test:s3`
      service('s3', [`server/src/${s3}`]),
      // backups of external databases by tools of others: `npm run test:backup`
      service('tools', [`server/src/${tools}`]),
      // clients and testers of SCIM by others, and a receiver of webhooks: `npm run test:scim`
      service('scim', [`server/src/${scim}`]),
      'web/vite.config.ts',
    ],
  },
});
