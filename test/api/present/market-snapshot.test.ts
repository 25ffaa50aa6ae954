import { describe, expect, test } from '@jest/globals';
import { presentMarketSnapshot } from '../../../api/present/market-snapshot.js';
import { marketSnapshotShape } from '../../../contract/reports.js';
import { rulesSha256 } from '../../../db/digests.js';
import { event, market } from '../../council/fixtures.js';

const takenAt = '2031-03-05T12:00:00.000Z';

describe('the market of a report', () => {
  test('has the rules as sold, their hash, and what decides', () => {
    const sold = event(
      [
        market({
          name: 'Rain',
          rules: 'Over 1 mm.',
          expectedAt: '2031-03-06T12:00:00.000Z',
          latestAt: '2031-03-20T12:00:00.000Z',
          earlyClose: 'Closes when it rains.',
        }),
        market({ name: 'Snow' }),
      ],
      { description: 'At noon.', settlementSources: [{ name: 'NWS', url: 'https://weather.example' }] },
    );
    const snapshot = presentMarketSnapshot(sold, takenAt);
    expect(marketSnapshotShape.parse(snapshot)).toEqual(snapshot);
    expect(snapshot).toMatchObject({
      rules: 'At noon.',
      rules_sha256: rulesSha256(sold),
      settlement_sources: [{ name: 'NWS', url: 'https://weather.example' }],
      markets: [
        {
          rules: 'Over 1 mm.',
          expected_at: '2031-03-06T12:00:00.000Z',
          latest_at: '2031-03-20T12:00:00.000Z',
          early_close: 'Closes when it rains.',
        },
        { rules: null, expected_at: null, latest_at: null, early_close: null },
      ],
    });
  });
});
