import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';
import type { Sampled } from '../http/metrics.ts';
import type { Process } from './process.ts';
import type { Slot } from './slots.ts';

/** The metrics of all processes, combined as those of one service. */
export type JoinedMetrics = {
  /** All metrics in Prometheus text format. */
  text: () => Promise<string>;
  contentType: string;
  /** Keeps the counts of an ended process, because a decreasing sum would look like a restart of the service. */
  keepCounts: (metrics: readonly Sampled[]) => void;
};

const answerMilliseconds = 1_000;
/** If the database does not answer in this time, the figures say that it is down. */
const figuresMilliseconds = 5_000;

const isOfProcess = ({ name }: Sampled) => /^(process|nodejs)_/.test(name);
const isCount = (metric: Sampled) =>
  !isOfProcess(metric) && ['counter', 'histogram'].includes(metric.type as unknown as string);

const join = (parts: readonly (readonly Sampled[])[]) => AggregatorRegistry.aggregate([...parts]);

/** Labels memory, event loop and the like with their process. Numbers that JSON cannot represent arrive as null. */
function labelled(metrics: readonly Sampled[], process: string): Sampled[] {
  return metrics.map((metric) => {
    const values = metric.values.map((sample) => ({ ...sample, value: (sample.value as number | null) ?? NaN }));
    if (!isOfProcess(metric)) return { ...metric, values };
    return {
      ...metric,
      aggregator: 'sum',
      values: values.map((sample) => ({ ...sample, labels: { ...sample.labels, process } })),
    };
  });
}

const upOf = (values: readonly (readonly [process: string, isUp: boolean])[]): Sampled =>
  ({
    name: 'tenure_process_up',
    help: 'Whether a process of this machine answers: 1 or 0',
    type: 'gauge',
    aggregator: 'sum',
    values: values.map(([process, isUp]) => ({ labels: { process }, value: Number(isUp) })),
  }) as unknown as Sampled;

/** Joins the metrics of the processes in these slots with those of the supervisor. */
export function joinMetrics(slots: readonly Slot[]): JoinedMetrics {
  const own = new Registry();
  collectDefaultMetrics({ register: own });
  let ended: Promise<Sampled[]> = Promise.resolve([]);
  /** The process that reads the database's figures, which are the same in all: each caches them for a while. */
  let reader = 'jobs';

  async function readFigures(answering: readonly Slot[]): Promise<Sampled[]> {
    const slot = answering.find(({ name }) => name === reader) ?? answering[0];
    if (!slot) return [];
    reader = slot.name;
    return (await slot.current?.ask('figures', figuresMilliseconds)) ?? [];
  }

  /** Asks a process for its counts, and remembers them. */
  async function ask(one: Process | undefined): Promise<Process | undefined> {
    const metrics = await one?.ask('metrics', answerMilliseconds);
    if (one && metrics) one.counted = metrics;
    return metrics && one;
  }

  /** The combined counts of all processes that have ended. */
  async function endedNow(): Promise<Sampled[]> {
    for (;;) {
      const asked = ended;
      const counts = await asked;
      if (asked === ended) return counts;
    }
  }

  async function text(): Promise<string> {
    const answers = await Promise.all(slots.flatMap(({ current, former }) => [ask(current), ask(former)]));
    const answering = slots.filter(({ current }) => current && answers.includes(current));
    const figures = await readFigures(answering);
    const ofSupervisor = labelled(await own.getMetricsAsJSON(), 'supervisor');
    const ofEnded = await endedNow();
    // nothing is awaited from here on, so that each process is counted once
    const parts = slots.flatMap((slot) => [
      labelled(
        (slot.current?.counted ?? []).filter((metric) => answering.includes(slot) || isCount(metric)),
        slot.name,
      ),
      (slot.former?.counted ?? []).filter(isCount),
    ]);
    const up = upOf(slots.map((slot) => [slot.name, answering.includes(slot)]));
    return join([...parts, figures, ofEnded, ofSupervisor, [up]]).metrics();
  }

  return {
    text,
    contentType: own.contentType,
    keepCounts: (metrics) => {
      ended = ended.then((counts) => join([counts, metrics.filter(isCount)]).getMetricsAsJSON());
    },
  };
}
