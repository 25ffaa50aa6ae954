import type { Paint } from '../paint.js';
import { checkNames, type Finding } from './finding.js';

/** A line a finding, and under it what to do. */
export function renderFindings(findings: readonly Finding[], paint: Paint): string {
  const width = Math.max(...Object.values(checkNames).map(name => name.length));
  const brush = { ok: paint.good, warning: paint.warning, problem: paint.bad };
  return findings
    .flatMap(({ check, state, detail, next }) => [
      `${checkNames[check].padEnd(width)}  ${brush[state](state.padEnd(stateWidth))}  ${detail}`,
      ...(next === null ? [] : [`${' '.repeat(width + stateWidth + 4)}→ ${next}`]),
    ])
    .join('\n');
}

const stateWidth = 'problem'.length;
