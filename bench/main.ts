import { benchHistory } from './measures/bench-history.js';
import { benchHttp } from './measures/bench-http.js';
import { benchInFlight } from './measures/bench-in-flight.js';
import { benchOverhead } from './measures/bench-overhead.js';
import { benchRegrade } from './measures/bench-regrade.js';
import { benchStart } from './measures/bench-start.js';
import { benchThroughput } from './measures/bench-throughput.js';
import { formatGoal, formatMarkdown, type Measurement } from './results/measurement.js';
import { writeResults } from './results/write-results.js';

/**
 * `npm run bench [NAME…]`: runs the named measurements, or all. Prints the results and writes them to
 * `bench/results.json`, `docs/bench.md` and the plots.
 */
const measurements: Readonly<Record<string, Measurement>> = {
  overhead: benchOverhead,
  throughput: benchThroughput,
  http: benchHttp,
  'in-flight': benchInFlight,
  history: benchHistory,
  start: benchStart,
  regrade: benchRegrade,
};

const args = process.argv.slice(2);
const names = args.length === 0 ? Object.keys(measurements) : args;
const unknown = names.filter(name => !(name in measurements));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. Measurements: ${Object.keys(measurements).join(', ')}.`);
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
