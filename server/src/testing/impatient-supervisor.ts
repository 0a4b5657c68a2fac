import { superviseService } from '../supervisor/run.ts';

/** The service in several processes, replacing those that are silent for a few seconds. */
await superviseService({ timing: { silence: 6_000, ready: 60_000 } });
