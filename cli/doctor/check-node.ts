import { packageFacts } from '../package-facts.js';
import { type Finding, ok, problem } from './finding.js';

/** @param version of the Node.js that runs, without a leading v */
export function checkNode(
  version = process.versions.node,
  { nodeRange } = packageFacts(),
): readonly Finding[] {
  const detail = `${version}; ${nodeRange} is needed`;
  return satisfies(version, nodeRange)
    ? [ok('node', detail)]
    : [problem('node', detail, 'Install a newer Node.js (https://nodejs.org), then `npm ci`.')];
}

/** As much of npm's ranges as a package.json needs: `^20.19.0 || >=22.12.0`. */
function satisfies(version: string, range: string): boolean {
  const is = version.split('.').map(Number);
  return range.split('||').some(part => {
    const [, sign, ...needed] = /^(\^|>=)(\d+)\.(\d+)(?:\.(\d+))?$/.exec(part.trim()) ?? [];
    if (sign === undefined) throw new Error(`package.json asks for ${range}, which is not understood`);
    const wanted = needed.map(digits => Number(digits ?? 0));
    return (sign === '>=' || is[0] === wanted[0]) && isAtLeast(is, wanted);
  });
}

function isAtLeast(is: readonly number[], wanted: readonly number[]): boolean {
  const differs = wanted.findIndex((part, index) => part !== (is[index] ?? 0));
  return differs === -1 || (is[differs] ?? 0) > (wanted[differs] ?? 0);
}
