import { superviseService } from '../supervisor/run.ts';

/** The service in several processes; one that is silent for a few seconds is replaced. */
await superviseService({ timing: { silence: 6_000, ready: 60_000 } });
