import { describe, expect, test } from '@jest/globals';
import { MarketUnreadable } from '../../../markets/event-source.js';
import { createGammaEventSource } from '../../../markets/polymarket/gamma-event-source.js';
import { sendJson, useFakeGamma } from './fake-gamma.js';
import { gammaEvent, gammaMarket } from './gamma-fixtures.js';

const gamma = useFakeGamma();

describe('the final word about a market of Polymarket', () => {
  test.each([
    ['1000000000000000000', 'yes', 1],
    ['0', 'no', 0],
    ['500000000000000000', 'fifty_fifty', 0.5],
    ['240000000000000000', 'void', 0.24],
  ])('resolved at the price %s is %s', async (price, resolution, settlementValue) => {
    expect(await wordOf({ price })).toEqual({
      resolution,
      status: 'resolved',
      finalAt: '2031-03-01T15:00:00.000Z',
      decidedBy: 'uma',
      wasDisputed: false,
      settlementValue,
      rulesUpdated: false,
      transactionHash: '0xabc',
    });
  });

  test.each([
    ['initialized', 'unresolved'],
    ['posed', 'unresolved'],
    ['proposed', 'unresolved'],
    ['challenged', 'disputed'],
    ['disputed', 'disputed'],
    ['arbitration', 'disputed'],
    ['reproposed', 'unresolved'],
    ['active', 'unresolved'],
    ['a status of next year', 'unresolved'],
  ])('at the status %s is %s, whatever price is named', async (status, resolution) => {
    const word = await wordOf({ status, price: '1000000000000000000' });
    expect(word).toMatchObject({ resolution, status, finalAt: null, decidedBy: null, settlementValue: null });
  });

  test.each([['69'], ['-1'], ['2000000000000000000'], [null]])(
    'is not there yet if it is resolved at the price %s',
    async price => {
      expect(await wordOf({ price })).toMatchObject({ resolution: 'unresolved', decidedBy: null });
    },
  );

  test.each([
    ['UMA_OO', 'uma'],
    ['CHAINLINK', 'chainlink'],
    ['EOA', 'operator'],
    ['A reporter of next year', null],
  ])('by %s is decided by %s', async (reporter, decidedBy) => {
    expect(await wordOf({ reporter })).toMatchObject({ resolution: 'yes', decidedBy });
  });

  test('tells that it was disputed, and that the rules were updated', async () => {
    const word = await wordOf({ was_disputed: true, new_version_q: true });
    expect(word).toMatchObject({ resolution: 'yes', wasDisputed: true, rulesUpdated: true });
  });

  test('is not taken from final prices', async () => {
    const ending = await endingOf([closedMarket], []);
    expect(ending?.event.markets[0]?.resolution).toBe('yes');
    expect(ending?.words).toEqual({});
  });

  test('is asked for twenty markets at a time', async () => {
    const markets = Array.from({ length: 21 }, (_, index) =>
      gammaMarket({ id: String(index + 1), slug: `m-${index + 1}`, conditionId: condition(index + 1) }),
    );
    const ending = await endingOf(markets, [row({ condition_id: condition(21), price: '0' })]);
    const asked = requestsOf('/v2/resolutions').map(url => url.searchParams.get('condition')?.split(','));
    expect(asked.map(conditions => conditions?.length)).toEqual([20, 1]);
    expect(ending?.words).toEqual({ 21: expect.objectContaining({ resolution: 'no' }) });
  });

  test('is not asked for a market without a condition', async () => {
    const ending = await endingOf([gammaMarket({ conditionId: '0x1,0x2' })], []);
    expect(ending?.words).toEqual({});
    expect(requestsOf('/v2/resolutions')).toEqual([]);
  });

  test.each([
    ['without rows', {}],
    ['with a row without a status', { data: [{ condition_id: `0x${'0'.repeat(63)}1` }] }],
  ])('that comes %s cannot be read', async (_, body) => {
    await expect(endingOf([closedMarket], body)).rejects.toThrow(MarketUnreadable);
  });
});

const closedMarket = gammaMarket({ conditionId: condition(1), closed: true, outcomePrices: '["1", "0"]' });

async function wordOf(changes: Record<string, unknown>) {
  const ending = await endingOf([closedMarket], [row(changes)]);
  return ending?.words['700001'];
}

async function endingOf(markets: readonly unknown[], answer: object) {
  const body = Array.isArray(answer) ? { data: answer } : answer;
  const baseUrl = await gamma.start(({ url }, response) =>
    sendJson(response, url.pathname === '/v2/resolutions' ? body : gammaEvent({ markets })),
  );
  return createGammaEventSource({ fetch, timeoutMs: 1_000, baseUrl, dataUrl: baseUrl }).readEnding('900001');
}

function requestsOf(path: string): readonly URL[] {
  const urls = gamma.requests.map(request => new URL(request, 'http://gamma.test'));
  return urls.filter(url => url.pathname === path);
}

function row(changes: Record<string, unknown> = {}) {
  return {
    condition_id: condition(1),
    status: 'resolved',
    was_disputed: false,
    new_version_q: false,
    proposed_price: '69',
    reproposed_price: '69',
    price: '1000000000000000000',
    reporter: 'UMA_OO',
    transaction_hash: '0xabc',
    resolved_at: '2031-03-01T15:00:00Z',
    ...changes,
  };
}

function condition(number: number): string {
  return `0x${number.toString(16).padStart(64, '0')}`;
}
