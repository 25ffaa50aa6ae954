import { describe, expect, test } from '@jest/globals';
import { reportMarkdown } from '../../../contract/report-text/report-markdown.js';
import {
  deadlines,
  marketsWithOwnRules,
  rulesChangedText,
} from '../../../contract/report-text/rules-text.js';
import type { MarketSnapshotView } from '../../../contract/reports.js';
import { reportExample } from '../../support/expect/examples.js';

const { market_snapshot: snapshot } = reportExample;
const [shown] = snapshot?.markets ?? [];
if (snapshot === null || shown === undefined) throw new Error('it has a market');

const market = (name: string, changes: Partial<typeof shown> = {}) => ({
  ...shown,
  market: name,
  rules: null,
  ...changes,
});
const sold = (changes: Partial<MarketSnapshotView>) =>
  reportMarkdown({ ...reportExample, market_snapshot: { ...snapshot, ...changes } }, ['market_snapshot']);

describe('a change of the rules', () => {
  test('is among what limits a report, with its day', () => {
    const report = { ...reportExample, rules_changed_at: '2031-03-05T12:00:00.000Z' };
    expect(rulesChangedText(report)).toContain('first read on 2031-03-05.');
    expect(reportMarkdown(report, [])).toMatch(/^- RULES CHANGED: .*2031-03-05/m);
  });

  test('is not spoken of where none was seen', () => {
    expect(rulesChangedText(reportExample)).toBeNull();
    expect(reportMarkdown(reportExample)).not.toContain('RULES CHANGED');
  });
});

describe('the rules as sold', () => {
  test('have the words of the venue, what decides, and their hash', () => {
    const text = sold({
      rules: 'At noon.\n\nOver 1 mm.',
      settlement_sources: [
        { name: 'NWS', url: 'https://weather.example/' },
        { name: 'The court', url: null },
      ],
      markets: [market('Rain', { rules: 'In March.', expected_at: '2031-03-05T12:00:00.000Z' })],
    });
    expect(text).toContain('## The rules as sold\n> At noon.\n>\n> Over 1 mm.\n\nRain:\n\n> In March.\n');
    expect(text).toContain('\n- Decided by: NWS <https://weather.example/>\n- Decided by: The court\n');
    expect(text).toContain('\n- The result is expected at 2031-03-05T12:00:00.000Z.');
    expect(text).toContain(`\n\nSHA-256 of the rules: ${snapshot.rules_sha256}.`);
  });

  test('name the rules of a market once, and not where they are part of those of the event', () => {
    const markets = ['In March.', 'In March.', null, 'Over 1 mm.'].map((rules, index) =>
      market(`M${index}`, { rules }),
    );
    expect(
      marketsWithOwnRules({ rules: 'Over 1 mm. At noon.', markets }).map(({ market: name }) => name),
    ).toEqual(['M0']);
  });

  test('name the dates that all markets have once, and others by market', () => {
    const dated = market('A', { latest_at: 'T', early_close: 'When it rains.' });
    const text = 'The venue waits for it until T. Trading ends early: When it rains.';
    expect(deadlines([dated, { ...dated, market: 'B' }])).toEqual([{ market: null, text }]);
    expect(deadlines([dated, market('B')])).toEqual([{ market: 'A', text }]);
    expect(deadlines([market('A'), market('B')])).toEqual([]);
  });
});
