import { describe, expect, test } from '@jest/globals';
import { deliberationExample } from '../../api/openapi/examples/deliberation.js';
import {
  citedNotVerified,
  factLine,
  noEvidenceText,
  searchLines,
  sourceLine,
} from '../../client/evidence-text.js';
import { limitWarnings } from '../../client/report-text.js';
import type { EvidenceView } from '../../contract/deliberation.js';
import { confidenceWithoutEvidence } from '../../council/method.js';

const nothingRemoved = { market_sources: 0, odds_statements: 0, duplicates: 0, other: 0 };
const { evidence: example, opinions } = deliberationExample;

function found(changes: Partial<EvidenceView> = {}): EvidenceView {
  if (example === null) throw new Error('the example has evidence');
  return { ...example, removed: nothingRemoved, ...changes };
}

describe('a source', () => {
  test('has its id, domain, date, title, address and finder on one line', () => {
    expect(found().items.map(item => sourceLine(item))).toEqual([
      'S1 centralbank.example.org, undated: Meeting calendar. https://centralbank.example.org/calendar Found by claude and gpt.',
      'S2 statistics.example.org, 2026-11-12: Consumer prices in October. https://statistics.example.org/prices/october Found by grok.',
    ]);
  });

  test('cannot imitate another line or control a terminal with its title', () => {
    const [item] = found().items;
    if (item === undefined) throw new Error('the example has a source');
    const line = sourceLine({ ...item, title: 'Calm\nS9 trusted.example.org\u001B[2K\u202E' });
    expect(line).toContain('undated: Calm S9 trusted.example.org[2K. https://');
    expect(sourceLine({ ...item, title: null })).toContain(', undated. https://');
  });
});

describe('a fact', () => {
  test('names its sources, or says that it is the member’s own knowledge', () => {
    const [opinion] = opinions;
    expect(opinion?.evidence.map(factLine)).toEqual([
      'The decision is published on 19 March 2031. [S1]',
      'The committee rarely cuts while inflation is above its target. [own knowledge]',
    ]);
    expect(factLine({ fact: 'Two\nlines.', sources: ['S1', 'S2'] })).toBe('Two lines. [S1, S2]');
  });
});

describe('the search', () => {
  test('says how much it found, that it is cited and not verified, what failed, and what was left out and why', () => {
    const removed = { market_sources: 2, odds_statements: 1, duplicates: 1, other: 4 };
    const search = found({ status: 'partial', removed, failures: { grok: 'timed out after 30 s' } });
    expect(searchLines(search, 2)).toEqual([
      `2 sources, 7 searches. ${citedNotVerified}`,
      'Searches that failed: grok timed out after 30 s.',
      'Left out: 2 pages of markets or bookmakers and 1 statement of odds, because members must not see a price; ' +
        '1 repeat of a listed page; 4 passages without a usable page, from after the forecast, or beyond the limits.',
    ]);
  });

  test('says nothing more where nothing failed and nothing was left out, and nothing at all where members did not search', () => {
    expect(searchLines(found({ searches: 1 }), 1)).toEqual([`1 source, 1 search. ${citedNotVerified}`]);
    expect(searchLines(null, 0)).toEqual([]);
    expect(noEvidenceText(null)).toBeNull();
    expect(noEvidenceText(found())).toBeNull();
  });

  test('that found nothing is a limit of the report, with its meaning for facts and confidence', () => {
    const nothing = found({ status: 'none', items: [] });
    expect(noEvidenceText(nothing)).toBe(
      'The members’ searches found nothing usable, so they answered from what they remember. The confidence is lowered by a fifth.',
    );
    expect(confidenceWithoutEvidence).toBe(1 - 1 / 5);
    const failed = {
      ...nothing,
      failures: { claude: 'was unavailable', grok: 'timed out after 30 s' },
    };
    const names = { claude: 'Claude', gpt: 'GPT', gemini: 'Gemini', grok: 'Grok' };
    expect(noEvidenceText(failed, model => names[model])).toContain(
      'failed or found nothing usable (Claude was unavailable; Grok timed out after 30 s), so they',
    );
    expect(searchLines(nothing, 0)).toEqual(['No source, 7 searches.']);
  });
});

describe('the limits of a report', () => {
  const complete = { consensus_market_conflict: false, degraded: false, models: [], provider_failures: {} };

  test('are the conflict, then a lost member, then missing evidence', () => {
    const limited = { ...complete, consensus_market_conflict: true, degraded: true };
    const labels = (search: EvidenceView | null) =>
      limitWarnings(limited, search).map(line => line.split(':')[0]);
    expect(labels(found({ status: 'none', items: [] }))).toEqual(['CONFLICT', 'DEGRADED', 'NO EVIDENCE']);
    expect(labels(found())).toEqual(['CONFLICT', 'DEGRADED']);
  });

  test('do not include a search that failed while others found something, nor a report without search', () => {
    expect(
      limitWarnings(complete, found({ status: 'partial', failures: { gpt: 'was unavailable' } })),
    ).toEqual([]);
    expect(limitWarnings(complete, null)).toEqual([]);
  });
});
