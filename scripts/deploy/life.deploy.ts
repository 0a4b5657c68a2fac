import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, inject, test } from 'vitest';
import type { Release } from '../package/tree.ts';
import { archiveOf, findFormer } from './former.ts';
import type { LifePlan, LifeWalked } from './life-walk.ts';
import { installBlocks, upgradeBlocks } from './page.ts';
import { commandsFor, makeSystem, systemTools } from './system.ts';
import { alone, has, printedBy, run } from './tools.ts';

const [scratch, tree] = [inject('scratch'), inject('tree')];
const archive = `${tree}.tar.zst`;
const former = findFormer();
const canLive = has(
  'the life of an installation',
  ...systemTools,
  'git',
  'npm',
  ...(former ? [] : ['a former release']),
);

const releaseIn = (folder: string) => JSON.parse(readFileSync(join(folder, 'release.json'), 'utf8')) as Release;
/** The folders into which docs/install.md and docs/upgrade.md unpack them. */
const folders = ['opt/tenure-0.1.0', 'opt/tenure-0.2.0'];

/** The commands on the pages, for the archive that is installed by then. */
function commandsOf(installed: string): LifePlan['commands'] {
  const of = (section: string, part = '', path = installed) =>
    commandsFor(
      path,
      [...installBlocks(), ...upgradeBlocks()].filter(
        (block) => block.section === section && block.text.includes(part),
      ),
    );
  return {
    install: of('From a release, with systemd'),
    proxy: of('A proxy in front'),
    schedule: of('Backups and other commands', 'BACKUP_URL'),
    backup: of('Backups and other commands', 'bin/tenure backup'),
    copy: of('A restored copy', 'bin/tenure restore'),
    removeCopy: of('A restored copy', 'rm -r'),
    upgrade: of('Reload', '', archive),
  };
}

test.runIf(canLive)('the life of an installation: first sign-in, backup, copy, upgrade under load, kill', () => {
  const earlier = archiveOf(former ?? '', scratch);
  const root = join(scratch, 'life');
  makeSystem(scratch, root, earlier);
  const commands = commandsOf(earlier);
  for (const [name, blocks] of Object.entries(commands)) expect(blocks, name).not.toEqual([]);
  const next = [archive, `${archive}.sha256`].map((from): [string, string] => [
    from,
    join(root, 'root', basename(from)),
  ]);
  const plan: LifePlan = { root, commands, next };
  const { status, output } = run(
    ...alone(process.execPath, join(import.meta.dirname, 'life-walk.ts'), JSON.stringify(plan)),
  );
  expect(status, output).toBe(0);
  const walked = printedBy<LifeWalked>({ status, output });
  const { reload, kill } = walked;
  const [before, after] = folders.map((folder) => releaseIn(join(root, folder))) as [Release, Release];
  expect(after.commit).toBe(releaseIn(tree).commit);
  console.log(
    `From ${before.commit.slice(0, 12)} with ${before.migrations.length} migrations to one with ${after.migrations.length}: ` +
      `the reload took ${reload.seconds.toFixed(1)} s with ${reload.requests} requests beside it; ` +
      `a killed process was replaced after ${kill.seconds.toFixed(1)} s, ${kill.failures.length} of ${kill.requests} requests broke; ` +
      `the first backup by the schedule came after ${walked.scheduledSeconds.toFixed(0)} s.`,
  );
  expect(walked).toMatchObject({
    statuses: { company: 201, department: 201, person: 201, picture: 200, page: 200 },
    keptInCopy: true,
    commits: { before: [before.commit], after: [after.commit] },
    lost: [],
    keptAfterRestart: true,
    restarted: [after.commit],
  });
  expect(reload.failures).toEqual([]);
  expect(reload.requests).toBeGreaterThan(100);
  // the load's clients send five requests at a time; nginx answers for those that the killed process was handling
  expect(kill.failures.length).toBeLessThanOrEqual(5);
  expect(kill.failures.filter((line) => !/: 502 /.test(line))).toEqual([]);
});
