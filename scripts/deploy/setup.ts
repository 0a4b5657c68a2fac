import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { readVersion } from '../package/tree.ts';

/** Builds the release that all checks use; with DEPLOY_TREE, uses that one, whose archive is beside it. */

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder for the run, containing the release. */
    scratch: string;
    tree: string;
  }
}

const root = join(import.meta.dirname, '../..');

export default function setup(project: TestProject): () => void {
  const scratch = mkdtempSync(join(tmpdir(), 'tenure-deploy-'));
  const given = process.env['DEPLOY_TREE'];
  if (given === undefined)
    execFileSync(process.execPath, ['scripts/package.ts', '--out', scratch], { cwd: root, stdio: 'inherit' });
  project.provide('scratch', scratch);
  project.provide('tree', given ?? join(scratch, `tenure-${readVersion()}-linux-${process.arch}`));
  return () => rmSync(scratch, { recursive: true, force: true });
}
