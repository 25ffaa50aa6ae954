import { describe, expect, test } from '@jest/globals';
import type { EvidenceView } from '../../../contract/deliberation.js';
import {
  citedNotVerified,
  noEvidenceText,
  searcherText,
  searchLines,
} from '../../../contract/report-text/evidence-text.js';
import { confidenceWithoutEvidence } from '../../../council/method.js';
import { deliberationExample } from '../../support/expect/examples.js';

const nothingRemoved = { market_sources: 0, odds_statements: 0, duplicates: 0, other: 0 };
const { evidence: example } = deliberationExample;

function found(changes: Partial<EvidenceView> = {}): EvidenceView {
  if (example === null) throw new Error('the example has evidence');
  return { ...example, searches: 7, removed: nothingRemoved, ...changes };
}

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

  test('names who searched for what was not found', () => {
    expect(searcherText({ searched_by: ['claude', 'gpt'] })).toBe('Searched by claude and gpt.');
    expect(searcherText({ searched_by: ['grok'] }, () => 'Grok')).toBe('Searched by Grok.');
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
