import { parseArgs } from 'node:util';
import { benchBatches } from './measures/bench-batches.js';
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
import { formatGoal, formatMarkdown, type Measurement } from './results/measurement.js';
import { writeResults } from './results/write-results.js';

/**
 * `npm run bench [NAME…] [--minutes N]`: runs the named measurements, or all but the soak, which takes an hour.
 * Prints the results and writes them to `tools/bench/results.json`, `docs/bench.md` and the plots.
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
};

const names =
  positionals.length === 0 ? Object.keys(measurements).filter(name => name !== 'soak') : positionals;
const unknown = names.filter(name => !(name in measurements));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. Measurements: ${Object.keys(measurements).join(', ')}.`);
  process.exit(1);
}
if (!(minutes >= 3)) {
  console.error('--minutes takes a number of at least 3.');
  process.exit(1);
}
for (const name of names) {
  const startMs = performance.now();
  const measured = await measurements[name]?.(process.env);
  if (measured === undefined) continue;
  const seconds = Math.round((performance.now() - startMs) / 1_000);
  console.log(`\n${name}, ${seconds} s\n${formatMarkdown(measured.table)}`);
  for (const goal of measured.goals) console.log(formatGoal(goal));
  writeResults(name, measured);
}
process.exit(0);
