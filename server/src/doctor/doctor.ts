import type { Logger } from 'pino';
import { readConfig } from '../config.ts';
import { externalAddresses } from '../db/addresses.ts';
import type { Config } from '../config.ts';
import { connect } from '../db/connect.ts';
import type { Db } from '../db/connect.ts';
import { misspeltSettings } from '../misspelt-settings.ts';
import { hasCluster } from '../db/data-dir.ts';
import { addressesOfRunning, startEmbedded } from '../db/embedded.ts';
import { checkAddress } from './address.ts';
import { checkArchive, checkBases, checkRuns } from './backups.ts';
import { factsOf, check, leastOf } from './database.ts';
import type { Facts } from './database.ts';
import { fail, ok, warn } from './finding.ts';
import type { Finding } from './finding.ts';
import { checkKeys, checkSafety } from './keys.ts';
import { checkDataDir, checkNode } from './machine.ts';
import type { Machine } from './machine.ts';
import { checkMail } from './mail.ts';
import { unreachable } from './reach.ts';
import { checkProcesses } from './processes.ts';
import { redactor } from './redact.ts';
import { checkSchema } from './schema.ts';
import { checkMark, checkStore } from './store.ts';
import { checkNotify, checkOptions, checkOthers, checkPooler, checkPrepared } from './way.ts';
import { checkWork } from './work.ts';

export type Examination = {
  env: Readonly<Record<string, string | undefined>>;
  machine: Machine;
  log: (config: Config) => Logger;
  /** The service is stopped, or this machine has no network: skips the address and the mail server. */
  isOffline: boolean;
};

type Addresses = {
  appUrl: string;
  directUrl: string;
  /** Whether a service should be working on the database now. */
  isRunning: boolean;
  close: () => Promise<void>;
};

/** A check that throws becomes a finding too. */
const guarded = (name: string, work: Promise<Finding[]>): Promise<Finding[]> =>
  work.catch((error: Error) => {
    const { what } = unreachable(error, name);
    return [fail(name, `This could not be checked: ${what}`, 'Check the logs of the database and the service.')];
  });

const none = async () => undefined;

/** The configured database: external, that of a running service, or that of a stopped service, which is started. */
async function openDatabase(config: Config, { log, isOffline }: Examination): Promise<Addresses | undefined> {
  const external = externalAddresses(config);
  if (external) return { ...external, isRunning: !isOffline, close: none };
  const running = await addressesOfRunning(config.DATA_DIR);
  if (running) return { ...running, directUrl: running.appUrl, isRunning: true, close: none };
  if (!(await hasCluster(config.DATA_DIR))) return undefined;
  const own = await startEmbedded({ dataDir: config.DATA_DIR, log: log(config), archiveWal: config.BACKUP_WAL });
  return { ...own, directUrl: own.appUrl, isRunning: false, close: () => own.stop() };
}

type Opened = { config: Config; log: Logger; isRunning: boolean };

/** Checks that need the tables. */
async function checkContent(db: Db, facts: Facts, opened: Opened): Promise<Finding[]> {
  const { config, log, isRunning } = opened;
  const { isUsable, findings } = await checkSchema(db, config, facts.is_owner ?? false);
  if (!isUsable) return findings;
  return [
    ...findings,
    ...(await guarded('processes', checkProcesses(db, config, leastOf(facts)))),
    ...(await guarded('store', checkMark(db, config, log))),
    ...(await guarded('jobs', checkWork(db, config, isRunning))),
    ...(await guarded('backup', checkRuns(db, config))),
  ];
}

async function checkWay(addresses: Addresses, config: Config): Promise<Finding[]> {
  const { appUrl } = addresses;
  return [
    await checkPooler(appUrl, config),
    await checkPrepared(appUrl, config),
    await checkNotify(addresses, config),
    ...(await checkOthers(appUrl, config)),
  ];
}

async function checkOpened(addresses: Addresses, config: Config, examination: Examination): Promise<Finding[]> {
  const { machine, log } = examination;
  const { DATABASE_PREPARED: prepared, DATABASE_POOLER: pooler } = config;
  const { db } = connect({ url: addresses.appUrl, max: 1, prepared, pooler });
  try {
    const options = await checkOptions(db, config);
    if (options.status === 'fail') return [options];
    const facts = await factsOf(db);
    if ('status' in facts) return [facts];
    return [
      ...check(facts, config, machine.now()),
      options,
      ...(await guarded('prepared', checkWay(addresses, config))),
      ...(await guarded(
        'schema',
        checkContent(db, facts, { config, log: log(config), isRunning: addresses.isRunning }),
      )),
    ];
  } finally {
    await db.destroy();
  }
}

async function checkDatabase(config: Config, examination: Examination): Promise<Finding[]> {
  const setting = config.DATABASE_URL ? 'DATABASE_URL' : 'DATA_DIR';
  try {
    const addresses = await openDatabase(config, examination);
    if (!addresses) return [ok('database', 'DATA_DIR contains no database yet: the first start creates it')];
    try {
      return await checkOpened(addresses, config, examination);
    } finally {
      await addresses.close();
    }
  } catch (error) {
    const { what, remedy } = unreachable(error, setting);
    return [fail('database', what, remedy)];
  }
}

async function checkAll(config: Config, examination: Examination): Promise<Finding[]> {
  const { machine, isOffline } = examination;
  const dataDir = await checkDataDir(config, machine);
  // the content of an unusable folder would only seem to be missing
  const isUsable = dataDir[0]?.status !== 'fail';
  // starting the embedded database would restrict an open folder, and fail in another user's
  const isBarred = !config.DATABASE_URL && dataDir[0]?.status !== 'ok';
  return [
    checkSafety(config),
    ...dataDir,
    ...(isUsable ? await checkKeys(config, machine.now()) : []),
    ...(isBarred ? [] : await checkDatabase(config, examination)),
    ...(isUsable ? [await checkStore(config, examination.log(config))] : []),
    ...(await guarded('archive', checkArchive(config))),
    ...(await guarded('points', checkBases(config))),
    ...(isOffline ? [] : await guarded('smtp', checkMail(config))),
    ...(isOffline ? [] : await guarded('address', checkAddress(config, machine.now()))),
  ];
}

function settingsOf(env: Examination['env']): Config | Finding {
  try {
    return readConfig(env);
  } catch (error) {
    const { message } = error as Error;
    return fail('settings', message, 'Correct the setting; docs/settings.md explains each.');
  }
}

const namesOf = (env: Examination['env']): Finding[] =>
  misspeltSettings(env).map(({ name, nearest }) =>
    warn(
      'settings',
      `There is no setting ${name}, so it has no effect`,
      `If you mean ${nearest}, rename it; docs/settings.md lists all settings.`,
    ),
  );

/** Examines an installation and reports what is wrong. Changes nothing, and reports no secrets. */
export async function examine(examination: Examination): Promise<Finding[]> {
  const node = checkNode(examination.machine);
  const config = settingsOf(examination.env);
  const findings = 'status' in config ? [config] : await checkAll(config, examination);
  return [node, ...namesOf(examination.env), ...findings].map(redactor(examination.env));
}
