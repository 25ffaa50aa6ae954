/**
 * Runs the slowest test files first, so that no worker is left alone with a long file at the end. Jest itself
 * knows durations only from an earlier run on the same machine.
 */
const slowest = [
  // These wait for time-outs, which costs no CPU while others run.
  'test/providers/vendors/',
  'test/markets/polymarket/',
  'test/platform/telemetry/',
  'test/start/',
  'test/attacks/',
  'test/tools/',
  'test/workflows/',
  'test/web/',
  'test/cli/',
  'test/mcp/',
  'test/api/',
  'test/platform/embedded/',
  'test/db/',
];

export default class SlowFirst {
  sort(tests) {
    return tests.toSorted((a, b) => rank(a) - rank(b) || size(b) - size(a) || a.path.localeCompare(b.path));
  }

  allFailedTests(tests) {
    return tests;
  }

  cacheResults() {}
}

const size = ({ path, context }) => context.hasteFS.getSize(path) ?? 0;

function rank({ path }) {
  const found = slowest.findIndex(folder => path.includes(folder));
  return found === -1 ? slowest.length : found;
}
