import { execFileSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import { canonicalRules, changedMarkets, rulesOf, settlementSources } from '../../../council/market/rules.js';
import { rulesSha256 } from '../../../db/digests.js';
import { event, market } from '../fixtures.js';

const ruled = (description: string, rules: Readonly<Record<string, string | null>>) =>
  rulesOf(
    event(
      Object.entries(rules).map(([name, text]) => market({ name, marketId: name, rules: text })),
      { description },
    ),
  );

describe('the hash of the rules', () => {
  const rain = market({ name: 'Rain', rules: 'Über "1 mm" \\ \u001f \u2028 🌧\n' });
  const snow = market({ name: 'Snow' });

  test('does not depend on the order of the markets, their prices or their state', () => {
    const one = event([rain, snow], { description: 'At noon.' });
    const other = event([snow, { ...rain, bestBid: 0.1, status: 'closed', resolution: 'yes' }], {
      description: 'At noon.',
      status: 'closed',
    });
    expect(rulesSha256(one)).toBe(rulesSha256(other));
  });

  test.each([
    ['the description', event([rain, snow], { description: 'At one.' })],
    ['the rules of a market', event([{ ...rain, rules: 'More.' }, snow], { description: 'At noon.' })],
    ['the list of markets', event([rain], { description: 'At noon.' })],
  ])('depends on %s', (_, changed) => {
    expect(rulesSha256(changed)).not.toBe(rulesSha256(event([rain, snow], { description: 'At noon.' })));
  });

  test('is computed by a stranger in Python as the documentation says', () => {
    const sold = event([snow, rain], { description: 'At “noon”.' });
    const snapshot = {
      rules: sold.description,
      markets: sold.markets.map(({ marketId, rules }) => ({ market_id: marketId, rules })),
    };
    const program = `
import hashlib, json, sys
snapshot = json.load(sys.stdin)
pairs = sorted([market["market_id"], market["rules"]] for market in snapshot["markets"])
text = json.dumps([snapshot["rules"], pairs], ensure_ascii=False, separators=(",", ":"))
print(hashlib.sha256(text.encode()).hexdigest())`;
    const computed = execFileSync('python3', ['-c', program], { input: JSON.stringify(snapshot) });
    expect(String(computed).trim()).toBe(rulesSha256(sold));
    expect(canonicalRules(rulesOf(sold))).not.toContain(' "id-Snow"');
  });
});

describe('rules that were read later', () => {
  const sold = ruled('At noon.', { rain: 'Over 1 mm.', snow: null });

  test.each([
    ['are the same', ruled('At noon.', { rain: 'Over 1 mm.', snow: null })],
    ['have another market', ruled('At noon.', { rain: 'Over 1 mm.', snow: null, hail: 'Any.' })],
    ['lack a market', ruled('At noon.', { rain: 'Over 1 mm.' })],
    ['are no longer stated', ruled('', { rain: null, snow: null })],
  ])('are no change if they %s', (_, seen) => {
    expect(changedMarkets(sold, seen)).toEqual([]);
  });

  test.each([
    ['of one market, that market', ruled('At noon.', { rain: 'Over 2 mm.', snow: null }), ['rain']],
    ['added to a market, that market', ruled('At noon.', { rain: 'Over 1 mm.', snow: 'Any.' }), ['snow']],
    ['of the event, all its markets', ruled('At one.', { rain: 'Over 1 mm.', snow: null }), ['rain', 'snow']],
  ])('change, if they are others %s', (_, seen, changed) => {
    expect(changedMarkets(sold, seen)).toEqual(changed);
  });

  test('are no change of the event where its text repeats the rules of another market', () => {
    const repeated = ruled('Over 1 mm.', { rain: 'Over 1 mm.', snow: 'Any.' });
    expect(changedMarkets(repeated, ruled('Any.', { rain: 'Over 1 mm.', snow: 'Any.' }))).toEqual([]);
  });
});

describe('what decides', () => {
  test('is each source once: as the venue names them, or as the event and its markets state them', () => {
    const markets = [
      market({ name: 'A', resolutionSource: 'https://rain.example' }),
      market({ name: 'B', resolutionSource: 'The weather office' }),
    ];
    const stated = event(markets, { resolutionSource: 'https://rain.example' });
    expect(settlementSources(stated)).toEqual([
      { name: 'https://rain.example', url: 'https://rain.example' },
      { name: 'The weather office', url: null },
    ]);
    const named = [{ name: 'AP', url: null }];
    expect(settlementSources({ ...stated, settlementSources: named })).toEqual(named);
    expect(settlementSources(event([market({ name: 'A' })], { resolutionSource: null }))).toEqual([]);
  });
});
