import type { Fault } from '../faults.js';
import type { Findings, SimulatedSearch, SimulatedStatement } from './findings.js';

/** Applies a fault to what a search found. */
export function applySearchFault(findings: Findings, fault: Fault | null): FaultyAnswer {
  const answer = { ...findings, ending: 'complete', toolError: null } as const;
  if (fault === null) return answer;
  if (fault.kind === 'says') return { ...answer, prose: fault.text, statements: [] };
  if (fault.kind === 'finds') return { ...answer, ...planted(fault) };
  if (fault.kind === 'tool_error') {
    const text = 'Simulated: the search failed, so nothing here is from a page.';
    return { ...answer, statements: [uncited(text)], toolError: fault.code ?? 'unavailable' };
  }
  return { ...answer, ...alterations[fault.kind]?.(findings) };
}

type FaultyAnswer = Omit<SimulatedSearch, 'id'>;

/** All other faults replace the response and do not reach this function. */
const alterations: Partial<Record<Fault['kind'], (findings: Findings) => Partial<FaultyAnswer>>> = {
  no_sources: ({ statements }) => ({ statements: statements.map(({ text }) => uncited(text)) }),
  truncated: ({ statements }) => ({ statements: firstHalf(statements), ending: 'truncated' }),
  empty: () => ({ statements: [] }),
  refusal: () => ({ statements: [], ending: 'refused' }),
  content_filter: () => ({ statements: [], ending: 'filtered' }),
  pause_turn: () => ({ ending: 'paused' }),
};

function uncited(text: string): SimulatedStatement {
  return { text, page: null };
}

function planted({ sources, prose = '', searches = 1 }: Fault & { kind: 'finds' }): Findings {
  return {
    queries: Array.from({ length: searches }, (_, index) => `simulated query ${index + 1}`),
    prose,
    statements: sources.map(({ text, url, title, page_age: pageAge }) => ({
      text,
      page: { url, title, pageAge },
    })),
  };
}

/** Ends in the middle of a statement, before its citation. */
function firstHalf(statements: readonly SimulatedStatement[]): SimulatedStatement[] {
  const half = Math.floor(statements.length / 2);
  const cut = statements[half]?.text ?? '';
  return [...statements.slice(0, half), uncited(cut.slice(0, cut.length / 2))];
}
