import { join } from 'node:path';
import type { Logger } from 'pino';
import { setTimeout as sleep } from 'node:timers/promises';
import { changeSettings, readConfig, separateSettings, startedFrom } from '../config.ts';
import type { Config } from '../config.ts';
import { externalAddresses } from '../db/addresses.ts';
import { loadAppKey } from '../db/app-key.ts';
import { dropSpool, openDatabase } from '../db/open-database.ts';
import type { Database } from '../db/open-database.ts';
import type { FirstAdmin } from '../features/sessions/first-admin.ts';
import { openLog } from '../logging.ts';
import type { StartOptions } from '../prepare.ts';
import { heapMegabytes } from '../process-sizes.ts';
import { usableMemory } from '../usable-memory.ts';
import { joinMetrics } from './joined-metrics.ts';
import { listenForOperators } from './operators.ts';
import { prepareIn, reload } from './reload.ts';
import type { Renewed } from './reload.ts';
import { keep, startIn, usualTiming, watchSilence } from './slots.ts';
import type { Context, Setup, Slot, Timing } from './slots.ts';
import { removeState, writeState } from './state-file.ts';

/** This release. */
const ownTree = join(import.meta.dirname, '..', '..', '..');

export type SupervisorOptions = StartOptions & { timing?: Partial<Timing> };

export type Supervisor = {
  config: Config;
  firstAdmin: FirstAdmin | undefined;
  /** Replaces the processes by those of the current release. */
  reload: () => void;
  /** The processes become unready and keep serving for SHUTDOWN_DELAY_SECONDS. */
  leave: () => Promise<void>;
  /** Ends all processes, then the embedded database. `immediate` does not wait for requests and jobs. */
  stop: (mode?: 'fast' | 'immediate') => Promise<void>;
};

function slotsOf({ processes, ROLE }: Config, setup: Setup): Slot[] {
  const slot = (name: string, role: Slot['role']): Slot => ({
    name,
    role,
    setup,
    current: undefined,
    former: undefined,
    losses: [],
    lostWorkers: [],
  });
  const web = Array.from({ length: processes }, (_, index) => slot(`web-${index + 1}`, 'api'));
  return ROLE === 'api' ? web : [...web, slot('jobs', 'worker')];
}

/** The settings for the processes: they must not repeat what the supervisor does for them. */
const settingsFor = (config: Config, given: Record<string, string>, key: string) =>
  changeSettings(given, {
    WEB_CONCURRENCY: String(config.processes),
    DATA_DIR: config.DATA_DIR,
    SHUTDOWN_DELAY_SECONDS: undefined,
    APP_KEY: key,
  });

type Opened = {
  config: Config;
  log: Logger;
  setup: Setup;
  context: Context;
  database: Database;
  stopping: AbortController;
};

/** Rereads settings for a reload. What the supervisor did with them at the start stays. */
const renewed =
  ({ config, setup, log }: Opened): Renewed['settings'] =>
  async () => {
    const { settings } = separateSettings();
    const now = readConfig(settings);
    // the file of an address is never empty, so the database stays embedded or external
    const external = externalAddresses(now);
    const key = await loadAppKey({ ...config, APP_KEY: now.APP_KEY }, log);
    return { settings: settingsFor(config, settings, key), addresses: external ?? setup.addresses };
  };

/** Does what must be done once by one process, then starts the others. */
async function startAll({ context, config, setup }: Opened, slots: readonly Slot[], hasTerminal: boolean) {
  const isAlone = !config.DATABASE_URL;
  const firstAdmin = await prepareIn(context, { setup, hasTerminal, isAlone });
  const starts = slots.map(async (slot) => {
    slot.current = await startIn(context, slot, setup);
  });
  await Promise.all(starts);
  return firstAdmin;
}

async function openContext(timing: Partial<Timing>): Promise<Opened> {
  // settings files are read here, and by no process again until a reload
  const { settings, withoutSettings } = separateSettings();
  const config = readConfig(settings);
  const log = openLog(config);
  // before the database, because a key created for an existing database ends all sessions
  const key = await loadAppKey(config, log);
  const database = await openDatabase(config, log);
  await dropSpool(config, log);
  const stopping = new AbortController();
  const { appUrl, ownerUrl, directUrl } = database;
  const setup = {
    tree: ownTree,
    settings: settingsFor(config, settings, key),
    addresses: { appUrl, ownerUrl, directUrl },
  };
  const context: Context = {
    log,
    timing: { ...usualTiming, ...timing },
    environment: withoutSettings,
    heapMegabytes: heapMegabytes(usableMemory(), config.processes),
    stopping: stopping.signal,
    isLeaving: () => false,
    onCounted: () => undefined,
  };
  return { config, log, setup, context, database, stopping };
}

/**
 * Reads the settings, starts the database if it is embedded, prepares it, and starts and supervises the processes that
 * the settings require.
 * @throws an Error with one line for the operator
 */
export async function startSupervisor({
  hasTerminal = false,
  timing = {},
}: SupervisorOptions = {}): Promise<Supervisor> {
  const opened = await openContext(timing);
  const { config, setup, context, database, stopping } = opened;
  const slots = slotsOf(config, setup);
  let isLeaving = false;
  context.isLeaving = () => isLeaving;
  const { METRICS_HOST: host, METRICS_PORT: port } = config;
  const metrics = port > 0 ? joinMetrics(slots) : undefined;
  if (metrics) context.onCounted = metrics.keepCounts;
  try {
    const firstAdmin = await startAll(opened, slots, hasTerminal);
    const operators = metrics && (await listenForOperators(context, slots, { host, port, metrics }));
    const reloads = await openReloads(slots, opened);
    const silence = watchSilence(slots, context.timing);
    const kept = slots.map((slot) => keep(context, slot));
    const leave = async () => {
      isLeaving = true;
      for (const { current } of slots) current?.send({ type: 'leave' });
      const seconds = config.SHUTDOWN_DELAY_SECONDS;
      if (seconds === 0) return;
      context.log.info(
        { event: 'stopping', seconds },
        'a stop began: the service is no longer ready, but still serves',
      );
      await sleep(seconds * 1_000);
    };
    const stop: Supervisor['stop'] = async (mode) => {
      stopping.abort();
      silence.stop();
      if (mode === 'immediate') for (const { current } of slots) current?.kill();
      await endProcesses(slots);
      await Promise.all(kept);
      await reloads.end();
      await operators?.close();
      await database.stop(mode);
    };
    return { config, firstAdmin, reload: reloads.ask, leave, stop };
  } catch (error) {
    await giveUp(slots, stopping, database);
    throw error;
  }
}

/** Requests first, then jobs. */
async function endProcesses(slots: readonly Slot[]) {
  const stopAll = (role: Slot['role']) =>
    Promise.all(slots.filter((slot) => slot.role === role).flatMap(({ current }) => current?.stop(0) ?? []));
  await stopAll('api');
  await stopAll('worker');
}

/** Cleans up, because a service that does not fully start leaves nothing running. */
async function giveUp(slots: readonly Slot[], stopping: AbortController, database: Database) {
  stopping.abort();
  await endProcesses(slots);
  await database.stop();
}

/** Runs one reload at a time; requests meanwhile result in a single one afterwards. */
async function openReloads(slots: readonly Slot[], opened: Opened) {
  const { context, config } = opened;
  const { DATA_DIR } = config;
  const { pid } = process;
  const anew = { home: startedFrom() ?? ownTree, settings: renewed(opened) };
  let reloads = 0;
  let isAsked = false;
  let running: Promise<void> | undefined;
  await writeState(DATA_DIR, { pid, reloads, problem: null });

  async function run() {
    let problem: string | undefined;
    while (isAsked && !context.stopping.aborted) {
      isAsked = false;
      problem = await reload(context, slots, anew);
    }
    reloads += 1;
    running = undefined;
    // `tenure reload` then waits in vain, but the service continues
    await writeState(DATA_DIR, { pid, reloads, problem: problem ?? null }).catch((error: unknown) =>
      context.log.error(
        { event: 'reload_failed', err: error },
        'the result of the reload could not be written to DATA_DIR',
      ),
    );
  }
  return {
    ask: () => {
      isAsked = true;
      running ??= run();
    },
    end: async () => {
      await running;
      await removeState(DATA_DIR, pid);
    },
  };
}
