import { parseArgs } from 'node:util';
import { benchBatches } from './measures/bench-batches.js';
import { benchCluster } from './measures/bench-cluster.js';
import { benchCost, benchSearchCost } from './measures/bench-cost.js';
import { benchHistory } from './measures/bench-history.js';
import { benchHttp } from './measures/bench-http.js';
import { benchInFlight } from './measures/bench-in-flight.js';
import { benchOverhead } from './measures/bench-overhead.js';
import { benchRegrade } from './measures/bench-regrade.js';
import { benchSales } from './measures/bench-sales.js';
import { benchScale } from './measures/bench-scale.js';
import { benchScaleRates } from './measures/bench-scale-rates.js';
import { benchSoak } from './measures/bench-soak.js';
import { benchStart } from './measures/bench-start.js';
import { benchStreams } from './measures/bench-streams.js';
import { benchThroughput } from './measures/bench-throughput.js';
import { benchVenues } from './measures/bench-venues.js';
import { benchWrites } from './measures/bench-writes.js';
import { formatGoal, formatMarkdown, type Measured, type Measurement } from './results/measurement.js';
import { writeResults } from './results/write-results.js';
import { readServers, ServersRefused } from './services/read-servers.js';

/**
 * `npm run bench [NAME…] [--minutes N]`: runs the named measurements, or all but the soak, which takes an hour, and the
 * cluster, which needs one. With `DATABASE_URL` and `TEMPORAL_ADDRESS` it measures on these servers. Prints the results;
 * writes those of the embedded servers, and the comparison of both, to `tools/bench/results.json`, `docs/bench.md` and the
 * plots.
 */
const { values, positionals } = parseArgs({
  options: { minutes: { type: 'string', default: '60' } },
  allowPositionals: true,
});
const minutes = Number(values.minutes);
const measurements: Readonly<Record<string, Measurement>> = {
  overhead: benchOverhead,
  cost: benchCost,
  'search-cost': benchSearchCost,
  throughput: benchThroughput,
  http: benchHttp,
  'in-flight': benchInFlight,
  history: benchHistory,
  start: benchStart,
  regrade: benchRegrade,
  sales: benchSales,
  scale: benchScale,
  'scale-rates': benchScaleRates,
  writes: benchWrites,
  streams: benchStreams,
  venues: benchVenues,
  batches: benchBatches,
  soak: env => benchSoak(env, minutes),
  cluster: benchCluster,
};
const onlyByName = ['soak', 'cluster'];
/** They start servers of their own or none, or compare both kinds. */
const sameOnAllServers = ['cost', 'search-cost', 'start', 'cluster'];

const names =
  positionals.length === 0
    ? Object.keys(measurements).filter(name => !onlyByName.includes(name))
    : positionals;
const unknown = names.filter(name => !(name in measurements));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. Measurements: ${Object.keys(measurements).join(', ')}.`);
  process.exit(1);
}
if (!(minutes >= 3)) {
  console.error('--minutes takes a number of at least 3.');
  process.exit(1);
}
try {
  const external = readServers(process.env);
  for (const name of names) {
    const startMs = performance.now();
    const measured = await measurements[name]?.(process.env);
    if (measured === undefined) continue;
    const seconds = Math.round((performance.now() - startMs) / 1_000);
    console.log(`\n${name}, ${seconds} s\n${formatMarkdown(measured.table)}`);
    for (const goal of measured.goals) console.log(formatGoal(goal));
    const reason = whyNotWritten(measured, external === null || sameOnAllServers.includes(name));
    if (reason === null) writeResults(name, measured);
    else console.log(`Not written to docs/bench.md: ${reason}.`);
  }
  process.exit(0);
} catch (error) {
  if (!(error instanceof ServersRefused)) throw error;
  console.error(error.message);
  process.exit(1);
}

/** The document has the figures of the servers of `npm start`. */
function whyNotWritten({ incomplete }: Measured, isComparable: boolean): string | null {
  if (incomplete !== undefined) return incomplete;
  return isComparable ? null : 'measured on the servers of DATABASE_URL and TEMPORAL_ADDRESS';
}
