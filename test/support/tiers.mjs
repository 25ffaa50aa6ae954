import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * What a test starts decides its tier. A test belongs to the highest tier whose marker appears in it or in a
 * test helper that it imports, directly or through other helpers:
 * - `processes`: whole services, from the compiled code, npm, or a program for each case;
 * - `services`: a database or a task queue of its own, on the PostgreSQL and Temporal servers that all tests
 *   share;
 * - `unit`: none of these. It needs no build.
 */
const markers = [
  [
    'processes',
    /\bstart(?:Embedded|Postgres|Temporal|StripeMock|LyingServer)\(|\bspawn(?:Sync)?\('npm'|['"]dist(?:\/|['"])/,
  ],
  ['services', /\bTEST_(DATABASE_URL|TEMPORAL_ADDRESS)\b/],
];

/**
 * @returns {{ unit: string[], services: string[], processes: string[] }} the paths of the test files, by tier
 */
export function testTiers(root) {
  const texts = new Map(
    readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.ts'))
      .map(name => join('test', name))
      .map(path => [path, readFileSync(join(root, path), 'utf8')]),
  );
  const tiers = { unit: [], services: [], processes: [] };
  for (const path of texts.keys()) {
    if (!path.endsWith('.test.ts')) continue;
    const reached = [...reachable(path, texts)].map(each => texts.get(each));
    const [tier = 'unit'] = markers.find(([, marker]) => reached.some(text => marker.test(text))) ?? [];
    tiers[tier].push(path);
  }
  return tiers;
}

function reachable(path, texts, seen = new Set()) {
  if (seen.has(path) || !texts.has(path)) return seen;
  seen.add(path);
  for (const [, from] of texts
    .get(path)
    .matchAll(/^(?:import|export)\s+(?!type\s)[^'"]*['"](\.[^'"]+)['"]/gm)) {
    reachable(join(dirname(path), from).replace(/\.js$/, '.ts'), texts, seen);
  }
  return seen;
}
