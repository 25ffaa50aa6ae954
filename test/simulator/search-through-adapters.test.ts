import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { statesAnyPrice } from '../../council/evidence/quotes-odds.js';
import type { Fault } from '../../simulator/faults.js';
import { simulateSearch } from '../../simulator/simulate-answer.js';
import { startSimulator } from '../../simulator/simulator.js';
import { type Adapter, adapters, memberBehind, modelIdOf, providersAt } from '../providers/catalogue.js';
import { failureOf } from '../providers/failure-of.js';
import { searchQuestion } from '../providers/questions.js';
import { searchPrompt } from './search-requests.js';

const simulator = await startSimulator();
const providers = providersAt(simulator.baseUrls);
afterEach(() => simulator.clearFaults());
afterAll(() => simulator.close());

const planted = [
  { text: '🏆 Ada führt mit 62 %.', url: 'https://example.org/a_(b)', title: 'Schach', page_age: null },
  { text: 'Bela \ue200folgt\ue201 東京.', url: 'https://b.example/', title: null, page_age: '3 days ago' },
];
const urls = planted.map(({ url }) => url);

/** What each vendor marks: the statements, or markers behind them. */
const marked: Record<Adapter, readonly string[]> = {
  gpt: [`([example.org](${urls[0]}))`, `([b.example](${urls[1]}))`],
  grok: [`[[1]](${urls[0]})`, `[[2]](${urls[1]})`],
  openrouter: [`[example.org](${urls[0]})`, `[b.example](${urls[1]})`],
  claude: planted.map(({ text }) => text),
  gemini: planted.map(({ text }) => text),
};

const cutOff = { kind: 'invalid_answer', truncated: true };
const refused = { kind: 'refused', truncated: false };
const endings: readonly (readonly [Fault, object])[] = [
  [{ kind: 'refusal' }, refused],
  [{ kind: 'content_filter' }, refused],
  [{ kind: 'truncated' }, cutOff],
  [{ kind: 'empty' }, { kind: 'invalid_answer', truncated: false }],
  [{ kind: 'connection_reset' }, { kind: 'unavailable', retryable: true, status: null }],
];

describe.each(adapters)('a simulated search of %s', adapter => {
  const at = { model: memberBehind(adapter), stage: 'research' } as const;
  const blockList = adapter === 'gemini' ? 'unsupported' : 'sent';

  test('is accepted, and cites its pages behind or as statements', async () => {
    const { text, citations, ...answer } = await providers[adapter].search(searchQuestion());
    expect(answer).toMatchObject({ modelId: modelIdOf(adapter), blockList });
    expect(answer.searches).toBeGreaterThan(0);
    expect(citations.length).toBeGreaterThan(0);
    for (const { start, end, marks } of citations) {
      const passage = text.slice(start, end);
      expect(passage).toMatch(marks === 'statement' ? /^Simulated: .*\.$/ : /^\S+example\.org\S+$/);
      expect(text.slice(0, start)).toMatch(marks === 'statement' ? /(^|\s)$/ : /\. ?$/);
    }
    expect(simulator.calls.at(-1)).toMatchObject({ ...at, system: searchQuestion().system });
  });

  test('finds 3 to 5 labelled statements on made-up pages, one of them without a page, and no price', async () => {
    const { text, citations } = await providers[adapter].search(searchQuestion());
    const statements = text.match(/Simulated: /g)?.length ?? 0;
    expect(statements).toBeGreaterThanOrEqual(3);
    expect(statements).toBeLessThanOrEqual(5);
    expect(citations).toHaveLength(statements - 1);
    const host = adapter === 'gemini' ? /^vertexaisearch\.cloud\.google\.com$/ : /\.example\.org$/;
    for (const { url } of citations) expect(new URL(url).hostname).toMatch(host);
    expect(statesAnyPrice(text.replaceAll(/\(?\[+[^\]]+\]+\(https?:\/\/\S+/g, ''))).toBe(false);
    const notFound = text.match(/Not found: [^.]+ \(simulated\)\./g) ?? [];
    expect([1, 2]).toContain(notFound.length);
  });

  test('reads the same with a server as without one, also after a pause', async () => {
    const { text, citations, searches } = simulateSearch(at.model, searchQuestion({ user: searchPrompt }));
    simulator.setFault(at, { kind: 'pause_turn' });
    const answer = await providers[adapter].search(searchQuestion({ user: searchPrompt }));
    expect(answer.searches).toBe(searches);
    // OpenRouter has markers of its own.
    if (adapter === 'openrouter') expect(answer.citations).toHaveLength(citations.length);
    else expect(answer).toMatchObject({ text, citations });
  });

  test('skips a citation without an address', async () => {
    const sources = planted.map((source, index) => (index === 0 ? { ...source, url: null } : source));
    simulator.setFault(at, { kind: 'finds', sources });
    const { citations } = await providers[adapter].search(searchQuestion());
    expect(citations).toHaveLength(1);
  });

  test('returns planted pages at their places, and the searches beyond the maximum', async () => {
    simulator.setFault(at, { kind: 'finds', prose: '♟️ Vorab: ', sources: planted, searches: 7 });
    const { text, citations, searches } = await providers[adapter].search(searchQuestion());
    expect(searches).toBe(7);
    expect(citations.map(({ start, end }) => text.slice(start, end))).toEqual(marked[adapter]);
    for (const each of planted) expect(text).toContain(each.text);
    if (adapter !== 'gemini') expect(citations.map(({ url }) => url)).toEqual(urls);
  });

  test('says exactly the given text', async () => {
    simulator.setFault(at, { kind: 'says', text: 'Nothing was found.' });
    const nothing = { text: 'Nothing was found.', citations: [] };
    expect(await providers[adapter].search(searchQuestion())).toMatchObject(nothing);
  });

  test.each(endings)('classifies %j', async (fault, expected) => {
    simulator.setFault(at, fault);
    expect(await failureOf(providers[adapter].search(searchQuestion()))).toMatchObject(expected);
  });

  test('is repeated without the list of blocked hosts, and continued after a pause', async () => {
    for (const kind of ['block_list_refused', 'pause_turn'] as const) {
      simulator.clearFaults();
      simulator.setFault(at, { kind });
      const before = simulator.calls.length;
      const answer = await providers[adapter].search(searchQuestion());
      expect(answer.citations.length).toBeGreaterThan(0);
      const applies = kind === 'pause_turn' ? adapter === 'claude' : adapter !== 'gemini';
      expect(simulator.calls.length - before).toBe(applies ? 2 : 1);
      expect(answer.blockList).toBe(applies && kind === 'block_list_refused' ? 'refused' : blockList);
    }
  });

  test.each([{ kind: 'no_sources' }, { kind: 'tool_error' }] as const)(
    'with $kind has text only',
    async fault => {
      simulator.setFault(at, fault);
      const { text, citations } = await providers[adapter].search(searchQuestion());
      expect(text).not.toBe('');
      expect(citations).toEqual([]);
    },
  );
});
