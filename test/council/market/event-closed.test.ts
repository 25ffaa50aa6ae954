import { expect, test } from '@jest/globals';
import { isEventClosed } from '../../../council/market/event-closed.js';
import { event, market } from '../fixtures.js';

const open = [market({ name: 'A' }), market({ name: 'B' })];
const won = market({ name: 'W', status: 'closed', resolution: 'yes' });
const lost = market({ name: 'L', status: 'closed', resolution: 'no' });
const provisional = { ...market({ name: 'V', placeholder: true }), provisional: true as const };

test.each([
  ['an open event', event([...open, lost]), false],
  ['one that no longer trades', event(open, { status: 'closed' }), true],
  ['an exclusive one with a winner, whatever the others do', event([...open, won]), true],
  ['independent markets of which one has resolved YES', event([...open, won], { exclusive: false }), false],
  ['one whose markets are all closed', event([lost, { ...lost, marketId: 'x' }]), true],
  ['one with nothing left but slots', event([lost, market({ name: 'P', placeholder: true })]), true],
  [
    'an exclusive one with nothing left but the slot for any other',
    event([lost, market({ name: 'Other', other: true })]),
    true,
  ],
  ['one whose open markets are all provisional', event([lost, provisional]), true],
  ['the only market, provisional', event([provisional]), true],
  ['one with a provisional market beside others', event([...open, provisional]), false],
  ['the only market, open', event([market({ name: 'Q' })]), false],
  ['the only market, closed', event([lost]), true],
])('%s: %#', (_, given, isClosed) => {
  expect(isEventClosed(given)).toBe(isClosed);
});
