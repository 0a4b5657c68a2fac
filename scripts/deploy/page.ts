import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The commands that docs/install.md tells users to run. */

export type Block = {
  /** The heading above it. */
  section: string;
  text: string;
};

/** The fenced blocks of a Markdown page, in order. */
export function blocksOf(page: string): Block[] {
  const blocks: Block[] = [];
  let section = '';
  let open: string[] | undefined;
  for (const line of page.split('\n')) {
    if (line.startsWith('```')) {
      if (open) blocks.push({ section, text: open.join('\n') });
      open = open ? undefined : [];
    } else if (open) open.push(line);
    else section = /^#+ (.+)$/.exec(line)?.[1] ?? section;
  }
  return blocks;
}

const pageBlocks = (page: string): Block[] =>
  blocksOf(readFileSync(join(import.meta.dirname, '../../docs', page), 'utf8'));

export const installBlocks = (): Block[] => pageBlocks('install.md');
export const upgradeBlocks = (): Block[] => pageBlocks('upgrade.md');
export const verifyBlocks = (): Block[] => pageBlocks('verify.md');

/** The sections whose blocks a test runs in order, like a user. */
export const runSections = [
  'From a release, with systemd',
  'A proxy in front',
  'Backups and other commands',
  'A restored copy',
];

/** Lines that no test runs unchanged, each with its reason. All other lines in blocks are run. */
export const notRun: readonly { line: RegExp; reason: string }[] = [
  { line: /^apt-get install -y (zstd|nginx)$/, reason: 'the scratch system is made with it, and has no network' },
  {
    line: /^(systemctl|systemd-run) /,
    reason: 'no systemd runs in a test: scripts/deploy/stand-ins start what the unit and the options say',
  },
  { line: /^npm run package$/, reason: 'scripts/deploy/setup.ts runs it' },
  {
    line: /^docker build .*--target release/,
    reason: 'image.deploy.ts builds the same stage by buildah, without a container service',
  },
  { line: /^docker build .*--target from-source/, reason: 'takes an image of Node from a registry' },
  {
    line: /^docker compose /,
    reason: 'compose.deploy.ts starts the services of the files, without a container service',
  },
  { line: /^(kubectl|helm) /, reason: 'no cluster runs in a test: chart.deploy.ts renders the chart' },
  { line: /^NODE_ENV=production APP_URL=\S+ npm start$/, reason: 'every other test runs a checkout' },
];

/** The lines of a block, with continuation lines joined. */
export const linesOf = ({ text }: Block): string[] =>
  text
    .replaceAll(/ \\\n\s*/g, ' ')
    .split('\n')
    .filter(Boolean);

/** The part of a block that a test can run: without the lines that are not run. */
export const runnable = (block: Block): string =>
  linesOf(block)
    .filter((line) => !notRun.some((one) => one.line.test(line)))
    .join('\n');
