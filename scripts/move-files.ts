import { formatBytes } from '../server/src/backup/format-bytes.ts';
import { lineOf, refusedAt } from '../server/src/backup/refusal.ts';
import { readConfig } from '../server/src/config.ts';
import { openIncoming } from '../server/src/files/incoming.ts';
import { prepareFolder } from '../server/src/files/disk-backend.ts';
import { markToShare, moveFiles } from '../server/src/files/move.ts';
import { openPlace } from '../server/src/files/open.ts';
import { ownFolderOf, placeOf, placesOf } from '../server/src/files/places.ts';
import { refuseFolder } from '../server/src/files/target.ts';
import { openLog } from '../server/src/logging.ts';
import { readCommandLine } from './command-line.ts';
import { calledAs } from './commands.ts';

/** `tenure move-files`, or `npm run move-files`: docs/files.md says when. */

const name = calledAs('move-files');
const usage = `${name} [--rate MB]            copies files from STORAGE_FALLBACK_URL to STORAGE_URL
${name} --to URL [--rate MB]   copies them from STORAGE_URL to URL, before the settings are changed
MB is the limit in megabytes a second, by default 20.`;

const options = { to: { type: 'string' }, rate: { type: 'string', default: '20' }, help: { type: 'boolean' } } as const;

const megabyte = 1_000_000;
const printedEvery = 1_000;

function rateOf(text: string): number {
  const rate = Number(text);
  if (rate > 0) return rate * megabyte;
  throw new Error('--rate must be a number of megabytes a second.');
}

function named(to: string, config: ReturnType<typeof readConfig>) {
  try {
    return placeOf(to, config);
  } catch (error) {
    throw new Error(`--to ${(error as Error).message}.`, { cause: error });
  }
}

function placesFor(config: ReturnType<typeof readConfig>, to: string | undefined) {
  const { kept, fallback } = placesOf(config);
  if (to !== undefined) return { from: kept, to: named(to, config) };
  if (fallback) return { from: fallback, to: kept };
  throw new Error('Give the new location with --to URL, or set STORAGE_URL and STORAGE_FALLBACK_URL. See --help.');
}

async function run(): Promise<void> {
  const { values } = readCommandLine({ options });
  if (values.help) return console.log(usage);
  const config = readConfig(process.env, { LOG_LEVEL: 'error' });
  const log = openLog(config);
  const { from, to } = placesFor(config, values.to);
  const rate = rateOf(values.rate);
  if (from.name === to.name) throw new Error(`The files are already in ${to.name}.`);
  if (to.kind === 'folder') await refuseFolder({ folder: to.name, from, isSet: values.to === undefined }, config);
  const own = ownFolderOf(config);
  const places = { from: openPlace(from, log), to: openPlace(to, log) };
  // before the first folder is created
  await markToShare(places);
  if (to.kind === 'folder') await prepareFolder(to.name).catch(refusedAt(to.name));
  const { copied, bytes, there } = await moveFiles({
    ...places,
    incoming: await openIncoming(own).catch(refusedAt(own)),
    rate,
    progress: ({ copied: files, bytes: size }) => {
      if (files % printedEvery === 0) console.log(`${files} files, ${formatBytes(size)}`);
    },
  });
  console.log(
    `Copied ${copied} files (${formatBytes(bytes)}) from ${from.name} to ${to.name}; ${there} already existed there.`,
  );
  console.log(
    values.to === undefined
      ? '0 left: remove STORAGE_FALLBACK_URL and restart the service. Nothing was deleted.'
      : 'Now set STORAGE_URL to the new location and STORAGE_FALLBACK_URL to the former one, restart all processes, and run the command without --to.',
  );
}

try {
  await run();
} catch (error) {
  console.error(lineOf(error));
  process.exitCode = 1;
}
