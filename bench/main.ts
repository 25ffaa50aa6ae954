import { measurements } from './measures/index.js';
import { formatGoal, formatMarkdown } from './results/measurement.js';
import { writeResults } from './results/write-results.js';

/**
 * `npm run bench`, a composition root: all measurements, or those named. Prints what each has found and whether that was
 * hoped for, and puts it into `bench/results.json` and `docs/bench.md`.
 */
const asked = process.argv.slice(2);
const names = asked.length === 0 ? Object.keys(measurements) : asked;
const unknown = names.filter(name => !(name in measurements));
if (unknown.length > 0) {
  console.error(
    `There is no measurement ${unknown.join(', ')}; there are ${Object.keys(measurements).join(', ')}.`,
  );
  process.exit(1);
}
for (const name of names) {
  const begunMs = performance.now();
  const measured = await measurements[name]?.(process.env);
  if (measured === undefined) continue;
  const seconds = Math.round((performance.now() - begunMs) / 1_000);
  console.log(`\n${name}, ${seconds} s\n${formatMarkdown(measured.table)}`);
  for (const goal of measured.goals) console.log(formatGoal(goal));
  writeResults(name, measured);
}
process.exit(0);
