import { expect, test } from '@jest/globals';
import { isEventClosed, isProvisional } from '../../../council/market/event-closed.js';
import { parseKalshiEvent } from '../../../markets/kalshi/parse-kalshi-event.js';
import { kalshiEvent, kalshiMarket, settledMarket } from './kalshi-fixtures.js';

const active = kalshiMarket({ ticker: 'A', yes_sub_title: 'A' });
const begins = kalshiMarket({ ticker: 'I', yes_sub_title: 'I', status: 'initialized' });
const paused = kalshiMarket({ ticker: 'H', yes_sub_title: 'H', status: 'inactive' });
const won = settledMarket('yes', '1.0000', { ticker: 'W', yes_sub_title: 'W' });
const lost = settledMarket('no', '0.0000', { ticker: 'L', yes_sub_title: 'L' });
const may = (market: Record<string, unknown>) => ({
  ...market,
  ticker: `P-${String(market['ticker'])}`,
  yes_sub_title: `P-${String(market['yes_sub_title'])}`,
  is_provisional: true,
});

const exclusive = { mutually_exclusive: true };

test.each<[title: string, markets: unknown[], expected: string, more?: object]>([
  ['a provisional market alone', [may(active)], 'provisional'],
  ['a provisional market that has not begun', [may(begins)], 'provisional'],
  ['a provisional market that is paused', [may(paused)], 'provisional'],
  ['a provisional market beside one that has not begun', [may(active), begins], 'provisional'],
  ['a provisional market beside one that lost', [may(active), lost], 'provisional', exclusive],
  ['a provisional market beside the winner', [may(active), won], 'closed', exclusive],
  ['a provisional market beside a winner of independent ones', [may(active), won], 'provisional'],
  ['a provisional market beside an open one', [may(active), active], 'open'],
  ['a provisional market that has not begun, beside an open one', [may(begins), active], 'open'],
  ['a market that has not begun', [begins], 'closed'],
  ['a market that has not begun, beside an open one', [begins, active], 'open'],
  ['a market that was provisional and is settled', [may(lost)], 'closed'],
  [
    'a market that was provisional and waits for its result',
    [may({ ...active, status: 'closed' })],
    'closed',
  ],
])('an event of %s is sold, or says why not', (_, markets, expected, more = {}) => {
  const event = parseKalshiEvent(kalshiEvent({ markets, ...more }), null);
  if (event === null) throw new Error('it is an event');
  expect(event.status).toBe(expected === 'open' ? 'open' : 'closed');
  expect(isEventClosed(event)).toBe(expected !== 'open');
  expect(isProvisional(event)).toBe(expected === 'provisional');
});
