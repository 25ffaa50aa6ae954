import type { Measurement } from '../results/measurement.js';
import { benchHistory } from './bench-history.js';
import { benchHttp } from './bench-http.js';
import { benchInFlight } from './bench-in-flight.js';
import { benchOverhead } from './bench-overhead.js';
import { benchRegrade } from './bench-regrade.js';
import { benchStart } from './bench-start.js';
import { benchThroughput } from './bench-throughput.js';

/** By the names under which they are asked for. */
export const measurements: Readonly<Record<string, Measurement>> = {
  overhead: benchOverhead,
  throughput: benchThroughput,
  http: benchHttp,
  'in-flight': benchInFlight,
  history: benchHistory,
  start: benchStart,
  regrade: benchRegrade,
};
