import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { itemMaxChars } from '../../../council/evidence/cited-pages.js';
import { blockedHosts, deniedHosts } from '../../../council/evidence/denied-hosts.js';
import { notFoundMaxChars, notFoundMaxLines } from '../../../council/evidence/not-found.js';
import { packMaxChars, packMaxPages } from '../../../council/evidence/packs.js';
import { quotesOdds } from '../../../council/evidence/quotes-odds.js';
import type { Research } from '../../../council/evidence/research.js';
import { councilModels } from '../../../council/models.js';
import clean from './clean-sentences.json' with { type: 'json' };
import odds from './odds-sentences.json' with { type: 'json' };
import prices from './price-phrases.json' with { type: 'json' };
import { asOf, assembled, type Cited, harmless, marked, ranged, readOf } from './research-fixtures.js';

const cleanSentences = Object.values(clean).flat();
const oddsSentences = Object.values(odds).flat();

test('every sentence that quotes odds is out, and at most three on polls, rates, scores and shares', () => {
  expect(Math.min(oddsSentences.length, cleanSentences.length)).toBeGreaterThanOrEqual(150);
  expect(oddsSentences.filter(sentence => !quotesOdds(sentence))).toEqual([]);
  const lost = cleanSentences.filter(quotesOdds);
  expect(lost.length <= 3 ? [] : lost).toEqual([]);
});

const statement = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...cleanSentences) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...cleanSentences, ...oddsSentences).map(text => `Not found: ${text}`),
  },
  { weight: 2, arbitrary: fc.constantFrom(...oddsSentences) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 80 }) },
);
const address = fc.oneof(
  { weight: 4, arbitrary: fc.nat(8).map(n => `https://news${n}.example.org/a`) },
  { weight: 1, arbitrary: fc.constantFrom(...deniedHosts).map(host => `https://www.${host}/x`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...deniedHosts).map(host => `https://a.example.org/?to=https://${host}`),
  },
  { weight: 1, arbitrary: fc.webUrl() },
  { weight: 1, arbitrary: fc.string({ maxLength: 30 }) },
);
const title = fc.oneof(fc.constant(null), statement);
const cited: fc.Arbitrary<Cited> = fc.record({ text: statement, url: address, title });
const research: fc.Arbitrary<Research> = fc.oneof(
  fc.array(cited, { maxLength: 25 }).map(ranged),
  fc.array(cited, { maxLength: 25 }).map(each => marked(each)),
);
const searches = fc.dictionary(fc.constantFrom(...councilModels), research);

test('whatever searches return, limits hold, and no item names a market or quotes odds', () => {
  const property = fc.property(searches, fc.string(), (found, seed) => {
    const { evidence, packs, union } = assembled(found, { seed });
    for (const pack of [...Object.values(packs), union]) {
      expect(pack.length).toBeLessThanOrEqual(packMaxPages);
      expect(pack.reduce((chars, { text }) => chars + text.length, 0)).toBeLessThanOrEqual(packMaxChars);
      for (const { text, ...item } of pack) {
        expect(evidence.items).toContainEqual({ ...item, text: expect.any(String) });
        expect(quotesOdds(text)).toBe(false);
      }
    }
    expect(evidence.items.map(({ id }) => id)).toEqual(evidence.items.map((_, index) => `S${index + 1}`));
    expect(new Set(evidence.items.map(({ url }) => url)).size).toBe(evidence.items.length);
    const notFound = evidence.not_found?.map(line => line.text) ?? [];
    expect(notFound.length).toBeLessThanOrEqual(councilModels.length * notFoundMaxLines);
    expect(notFound.filter(text => text.length > notFoundMaxChars || quotesOdds(text))).toEqual([]);
    for (const { text, title, url, domain } of evidence.items) {
      expect(text.length).toBeLessThanOrEqual(itemMaxChars);
      expect([text, title ?? ''].filter(quotesOdds)).toEqual([]);
      expect(deniedHosts.filter(host => domain === host || url.includes(`//${host}`))).toEqual([]);
    }
  });
  fc.assert(property, { numRuns: 60 });
});

test('the same searches give the same evidence, in whatever order the members are named', () => {
  const property = fc.property(searches, found => {
    const reversed = Object.fromEntries(Object.entries(found).toReversed());
    expect(JSON.stringify(assembled(reversed))).toBe(JSON.stringify(assembled(found)));
  });
  fc.assert(property, { numRuns: 20 });
});

test('a price of the event reaches no item, in any notation and any part of an answer', () => {
  const all = prices.phrases.flatMap(phrase => prices.notations.map(price => `${phrase} ${price}`));
  expect(all.filter(planted => !quotesOdds(`On Sunday, ${planted} in the end.`))).toEqual([]);
  // The rule that reads a statement reads titles and addresses: of these, every seventh pair shows that they are read.
  const pages = all.flatMap((planted, n): Cited[] => [
    { text: `${planted}.`, url: `https://example.org/statement/${n}` },
    ...(n % 7 === 0
      ? [
          { text: harmless, url: `https://example.org/title/${n}`, title: `${planted} - Example News` },
          { text: harmless, url: `https://example.org/${planted.replaceAll(' ', '-')}` },
        ]
      : []),
  ]);
  const chunks = Array.from({ length: Math.ceil(pages.length / 300) }, (_, n) =>
    pages.slice(n * 300, n * 300 + 300),
  );
  const reached = chunks.flatMap(chunk => readOf(chunk).items);
  expect(reached.map(({ text, title, url }) => [text, title, url])).toEqual([]);
  expect(readOf([{ text: harmless, url: 'https://example.org/title/1' }]).items).toHaveLength(1);
});

const hostileParts =
  '[|](|[[1]](|(|\ue200|turn1search0|a.|. |!|market |1.|%|0,|-1|1/|market the |**a**:\n|\n# |、|http://a|【†|１|«|a-|1:1|$0.|prediction |Not found: a\n|Not found: a.b |Not found: %2e'.split(
    '|',
  );

test('a long hostile answer takes no longer than its length', () => {
  const length = 50_000;
  for (const part of hostileParts) {
    const text = part.repeat(Math.ceil(length / part.length));
    const page = { marks: 'marker' as const, url: 'https://example.org', title: text, pageAge: text };
    const citations = Array.from({ length: 400 }, (_, n) => ({ ...page, start: n * 50, end: n * 50 + 1 }));
    const both = citations.map(citation => ({ ...citation, marks: 'statement' as const }));
    assembled({
      claude: { text, citations: [...citations.slice(0, 200), ...both], searches: 1, retrievedAt: asOf },
    });
    quotesOdds(text);
  }
}, 60_000);

test('vendors with short lists are given the hosts that matter most', () => {
  expect(blockedHosts.slice(0, 5)).toEqual(
    ['polymarket.com', 'kalshi.com', 'manifold.markets', 'metaculus.com', 'oddschecker.com'], // as xAI takes them
  );
  expect(blockedHosts.length).toBeLessThanOrEqual(100);
  expect(new Set(deniedHosts).size).toBe(deniedHosts.length);
  expect(deniedHosts.filter(host => !/^[a-z\d-]+(?:\.[a-z\d-]+){1,3}$/.test(host))).toEqual([]);
});

test('the rules of a version give what they gave, so that its stored runs can be assembled again', () => {
  const page = (sentence: string, n: number): Cited => ({
    text: sentence,
    url: `https://news.example.org/${n % 40}`,
  });
  const first = (byLanguage: Record<string, string[]>) =>
    Object.values(byLanguage).flatMap(each => each.slice(0, 2));
  const found = {
    claude: ranged([...first(clean), ...first(odds)].map(page)),
    gpt: marked(first(clean).map((sentence, n) => page(sentence, n + 7))),
    grok: ranged(['Not found: a ruling.', 'Not found: a report at 62%.'].map(page)),
  };
  const { rules, ...gathered } = assembled(found);
  const sha256 = createHash('sha256').update(JSON.stringify(gathered)).digest('hex');
  // Other evidence from the same searches is another version: raise its number.
  expect({ [rules]: sha256 }).toEqual({
    'evidence/2': '1d8f2e15bc474851e3d38a8cc453a4109124c9942b8445808ec8821c4ce742d8',
  });
});
