import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { councilModels, type KeyVendor } from '../../../council/models.js';
import type { Fault } from '../../../simulator/faults.js';
import { fencedTexts } from '../../../simulator/read-fences.js';
import { hostileTexts } from '../../council/prompts/hostile-texts.js';
import { leaks, telltale } from '../../council/prompts/prompt-scan.js';
import { createSampleEventCopies } from '../../support/record/sample-event-copies.js';
import { useTestService } from '../../support/use-service.js';

/** The price of the event, in every notation in which a page may quote it. No other text of a run holds one. */
const notations = [
  '0.618',
  '61.8 %',
  '61.8%',
  '61,8 %',
  '62¢',
  '62c',
  '8/13',
  '1.62',
  '1,62',
  '−162',
  '-162',
  'sixty-two percent',
  '62 cents',
];

type Source = Extract<Fault, { kind: 'finds' }>['sources'][number];

const page = (text: string, more: Partial<Source> = {}): Source => ({
  url: `https://news.example.org/${encodeURIComponent(text).slice(0, 40)}`,
  title: null,
  text,
  page_age: null,
  ...more,
});

const clean = page('The jury confirmed on 3 March that all three horses may start.', {
  url: 'https://racing.example.org/starters',
  title: 'Starters confirmed',
});

/** In statements, of clean pages. */
const quoted = [
  'Traders on Polymarket price Alpha at 0.618.',
  'The market gives Alpha an implied probability of 61.8 %.',
  'Bettors put the odds of Alpha at 61.8%.',
  'Die Buchmacher sehen Alpha bei 61,8 % und nennen eine Quote von 1,62.',
  'Alpha shares trade at 62¢ on the prediction market.',
  'On the exchange, the market price of Alpha is 62c, or 62 cents.',
  'Bookmakers offer odds of 8/13 on Alpha.',
  'The bookmaker’s decimal odds for Alpha are 1.62.',
  'The moneyline odds on Alpha stand at −162, with a sportsbook at -162.',
  'Betting markets imply a sixty-two percent chance of Alpha.',
].map(text => page(text));

/** Where a price stands beside no such word: the page is the market, or cannot be cited. */
const addressed = [
  'https://polymarket.com/event/alpha',
  'https://m.kalshi.com/markets/alpha',
  'https://web.archive.org/web/2026/https://polymarket.com/event/alpha',
  'https://proxy.example.org/?u=https%3A%2F%2Fpolymarket.com%2Fevent%2Falpha',
  'https://polymarket.com@news.example.org/alpha',
  'https://xn--polymarket.com/',
  'ftp://news.example.org/alpha',
  'no address',
  null,
].map((url, index) => page(`Alpha stands at ${notations[index]}.`, { url }));

const planted: readonly Source[] = [
  ...quoted,
  ...addressed,
  page('Alpha won the trial.', { title: 'Alpha at 62¢ on Polymarket, bookmakers go 8/13' }),
  page('Alpha stands at 61.8 %.', {
    url: 'https://vertexaisearch.cloud.google.com/grounding-api-redirect/AbC',
    title: 'polymarket.com',
  }),
];

/** Of a page dated after the run, which only a vendor that states dates reveals: OpenRouter does not. */
const later = page('Alpha stands at 0.618.', {
  url: 'https://news.example.org/later',
  page_age: 'November 20, 2099',
});

/** On lines of what was not found, which no page is cited for. */
const notFound = notations.map(price => `Not found: a reason why Alpha stands at ${price}.`);
const cleanNotFound = 'an objection of the jury to one of the three horses.';

const prose = `Here is what I found. The market price is 61.8 %, that is 62¢, 8/13, 1.62 or -162: ${notations.join(', ')}.
${notFound.join('\n')}
Not found: what Polymarket says.
Not found: ${cleanNotFound}
`;

const events = createSampleEventCopies();
const sent: string[] = [];
const realFetch = globalThis.fetch;
// Before the worker builds its clients, which keep the function.
globalThis.fetch = async (input, init) => {
  const url = input instanceof Request ? input.url : String(input);
  const body = typeof init?.body === 'string' ? init.body : '';
  if (!url.includes('/api/') || url.includes('/openrouter/api/')) sent.push(body);
  return realFetch(input, init);
};
const service = await useTestService({ markets: events, researchDeadlineMs: 8_000 });
afterAll(() => {
  globalThis.fetch = realFetch;
});
afterEach(() => service.simulator.clearFaults());

/** Makes every searching member find these sources. */
function find(sources: readonly Source[], more: { prose?: string } = {}): void {
  service.simulator.setFault({ stage: 'research' }, { kind: 'finds', sources: [...sources], ...more });
}

/** Makes every member cite `S1`, which all of them must be shown, and give numbers that are no price of the event. */
function answerBriefly(): void {
  const distribution = [50, 30, 20].map((probability, index) => ({
    outcome: `O${index + 1}`,
    probability,
  }));
  const evidence = [{ fact: 'All may start.', sources: ['S1'] }];
  const opinion = { distribution, confidence: 60, rationale: 'The rule.', evidence };
  const labels = ['A', 'B', 'C'];
  const review = {
    ranking: labels,
    critiques: labels.map(label => ({ label, strengths: 'Yes.', weaknesses: 'No.' })),
    revised_distribution: distribution,
    revised_confidence: 60,
  };
  for (const [stage, answer] of [['opinions', opinion] as const, ['cross_review', review] as const])
    service.simulator.setFault({ stage }, { kind: 'says', text: JSON.stringify(answer) });
}

async function run(keys: readonly KeyVendor[] = []) {
  const caller = await service.newCaller(1_000);
  for (const provider of keys) {
    const key = `sk-${provider}-of-${caller.accountId}`;
    await caller.put(`/api/provider-keys/${provider}`, { key }, { as: 'session' });
  }
  sent.length = 0;
  const before = service.simulator.calls.length;
  const eventId = events.retell('sample-ridge-derby-2031', event => ({
    ...telltale,
    source: event.source,
    closesAt: event.closesAt,
  }));
  const report = await caller.run(eventId, keys.length === 0 ? {} : { lane: 'byok' });
  expect(report.council_config.runtime).toMatchObject({ models: [...councilModels], degraded: false });
  const calls = service.simulator.calls.slice(before);
  const isSearch = (text: string) => /web_search|googleSearch/.test(text);
  const searches = sent.filter(isSearch);
  const others = sent.filter(text => text !== '' && !isSearch(text)).map(withoutMark);
  return { report, calls, searches, others, evidence: report.deliberation.evidence };
}

/** The eight digits of a fence are hexadecimal and may hold `62c` by chance. */
function withoutMark(request: string): string {
  return request.replace(/(<<<(?:BEGIN|END) [A-Z ]+) [0-9a-f]{8}>>>/g, '$1>>>');
}

describe('a price that the web quotes', () => {
  test.each([
    ['the vendors', [], [...planted, later]],
    ['OpenRouter', ['openrouter'], planted],
  ] as const)('reaches no opinion, review or synthesis by way of %s', async (_, keys, sources) => {
    find([...sources, clean], { prose });
    answerBriefly();
    const { calls, searches, others, evidence } = await run(keys);
    expect([searches.length, others.length]).toEqual([3, 4 + 4 + 2]);
    for (const notation of notations) {
      // As JSON escapes it, too.
      const escaped = JSON.stringify(notation).slice(1, -1);
      const holding = others.filter(text => text.includes(notation) || text.includes(escaped));
      expect({ notation, requests: holding.length }).toEqual({ notation, requests: 0 });
    }
    for (const text of others) expect(text).not.toMatch(/polymarket|kalshi|vertexaisearch/i);
    for (const { system, user } of calls) expect(leaks({ system, user })).toEqual([]);
    expect(evidence.items.map(({ text }: { text: string }) => text)).toEqual([clean.text]);
    expect(evidence.not_found).toEqual([{ text: cleanNotFound, searched_by: expect.any(Array) }]);
    expect(evidence.not_found[0].searched_by).toHaveLength(3);
    expect(others.filter(text => text.includes(cleanNotFound)).length).toBeGreaterThanOrEqual(4);
    expect(evidence.removed.market_sources).toBeGreaterThan(0);
    expect(evidence.removed.odds_statements).toBeGreaterThan(0);
    // The fakes do plant each notation: the answers of the searches are stored as they came.
    const { rows } = await service.database.pool.query(
      `select answer::text from stage_results where stage = 'research' order by report_id desc limit 3`,
    );
    for (const { answer } of rows) for (const notation of notations) expect(answer).toContain(notation);
  });
});

describe('text that speaks to the model', () => {
  test('stays data inside its fence, and loses no member', async () => {
    find(
      hostileTexts.map((text, index) =>
        page(text, { url: `https://news.example.org/${index}`, title: text }),
      ),
      { prose: `${hostileTexts.map(text => `Not found: ${text}`).join('\n')}\n` },
    );
    const { calls } = await run();
    for (const { stage, user } of calls) {
      const fences = fencedTexts(user).filter(({ name }) => name === 'SOURCES');
      expect(fences).toHaveLength(stage === 'research' ? 0 : 1);
      const notFound = fencedTexts(user).filter(({ name }) => name === 'NOT FOUND');
      expect(notFound).toHaveLength(stage === 'research' ? 0 : 1);
      for (const { text } of notFound) expect(text).toMatch(/^(?:- .+\n?)+$/);
      expect(user.match(/(?:BEGIN|END) SOURCES [0-9a-f]{8}>>>/g) ?? []).toHaveLength(2 * fences.length);
      // Fences are read from the outside in: nothing between two marks closes or opens another.
      expect(user.match(/<<<BEGIN /g)?.length).toBe(user.match(/<<<END /g)?.length);
    }
  });

  test('and forty sources, the same article, private characters and bad dates fill no prompt', async () => {
    const many = Array.from({ length: 40 }, (_, index) =>
      page(`Statement ${index} \ue200cite\ue202turn0search${index}\ue201 of the register.`, {
        url: `https://register.example.org/${index % 20}?utm_source=openai#part`,
        page_age: index % 2 === 0 ? 'yesterday or so' : null,
      }),
    );
    find(many);
    answerBriefly();
    const { calls, evidence } = await run();
    for (const { stage, user } of calls) {
      if (stage === 'research') continue;
      expect(user).not.toMatch(/[\ue000-\uf8ff]|utm_source/);
      expect((user.match(/^S\d+ · /gm) ?? []).length).toBeLessThanOrEqual(12);
    }
    expect(evidence.items.length).toBeLessThanOrEqual(12);
    expect(evidence.removed.duplicates).toBeGreaterThan(0);
  });
});
