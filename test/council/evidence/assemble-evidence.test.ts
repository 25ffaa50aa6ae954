import { describe, expect, test } from '@jest/globals';
import { packOf } from '../../../council/evidence/assemble-evidence.js';
import { councilModels } from '../../../council/models.js';
import { asOf, assembled, citedTo, harmless, marked, ranged, readOf } from './research-fixtures.js';

const url = 'https://apnews.com/a';
const nothingRemoved = { market_sources: 0, odds_statements: 0, duplicates: 0, other: 0 };

describe('an item', () => {
  test('is what is cited to one page, by whichever vendor', () => {
    const page = { url: `${url}?utm_source=openai#x`, title: 'Squads named', pageAge: 'March 31, 2031' };
    const { evidence } = assembled({
      claude: ranged([{ text: harmless, ...page }]),
      gpt: marked([{ text: 'South Africa arrive on Tuesday.', ...page }]),
    });
    expect(evidence).toMatchObject({
      status: 'searched',
      as_of: asOf,
      searches: 3,
      removed: { ...nothingRemoved, duplicates: 1 },
      failures: {},
    });
    expect(evidence.items).toEqual([
      {
        id: 'S1',
        text: expect.stringMatching(
          /^(?=.*Canada named an unchanged squad on Monday\.)(?=.*South Africa arrive)/,
        ),
        url,
        domain: 'apnews.com',
        title: 'Squads named',
        published_at: '2031-03-31',
        retrieved_at: asOf,
        found_by: ['claude', 'gpt'],
      },
    ]);
  });

  test.each([
    ['behind the full stop', `${harmless}[[1]](${url}) The captain is fit.`],
    [
      'before the full stop',
      `Canada named an unchanged squad on Monday ([apnews.com](${url})). The captain is fit.`,
    ],
    ['on a line of its own', `${harmless}\n([apnews.com](${url}))\nThe captain is fit.`],
    [
      'in a list',
      `Findings:\n- ${harmless} \ue200cite\ue202turn1search0\ue201 [[1]](${url})\n- The captain is fit.`,
    ],
    [
      'in private-use characters',
      `${harmless} \ue200cite\ue202turn1search0\ue202turn2news1\ue201 The captain is fit.`,
    ],
  ])('has the sentence whose marker stands %s, without the marker', (_, text) => {
    const start = Math.max(text.indexOf('([apnews'), text.indexOf('[[1]]'), text.indexOf('\ue200'));
    const found = {
      text,
      citations: [{ start, end: start + 4, marks: 'marker' as const, url, title: null, pageAge: null }],
    };
    const { items, removed } = assembled({ gpt: { ...found, searches: 1, retrievedAt: asOf } }).evidence;
    expect(items.map(item => item.text)).toEqual([harmless]);
    expect(removed).toEqual({ ...nothingRemoved, other: 1 });
  });

  test('joins adjoining blocks of one page, and leaves out prose without a source', () => {
    const text = 'As reported, Canada named an unchanged squad on Monday. Nothing else is known.';
    const found = citedTo(text, [url, url]);
    const ranges = [
      { start: 13, end: 29 },
      { start: 29, end: 55 },
    ];
    const citations = found.citations.map((block, index) => ({ ...block, ...ranges[index] }));
    const { items, removed } = assembled({ claude: { ...found, citations } }).evidence;
    expect(items.map(item => item.text)).toEqual([harmless]);
    expect(removed.other).toBe(1);
  });

  test('belongs to the first page that the council may read', () => {
    const urls = ['https://polymarket.com/event/cup', url, 'https://example.org/b'];
    const { items, removed } = assembled({ claude: citedTo(harmless, urls) }).evidence;
    expect(items.map(item => item.url)).toEqual([url]);
    expect(removed).toEqual({ ...nothingRemoved, market_sources: 1 });
  });

  test('holds no price that is cited to a market as well', () => {
    const urls = [url, 'https://polymarket.com/event/cup'];
    const { items, removed } = assembled({ claude: citedTo('Canada stands at 62%.', urls) }).evidence;
    expect(items).toEqual([]);
    expect(removed).toEqual({ ...nothingRemoved, market_sources: 1, odds_statements: 1 });
  });

  test('has at most 600 characters of whole statements', () => {
    const statement = (n: number) => `Statement ${n} ${'says more '.repeat(20)}about the squad.`;
    const { items, removed } = readOf([1, 2, 3, 4].map(n => ({ text: statement(n), url })));
    expect(items.map(item => item.text)).toEqual([`${statement(1)} ${statement(2)}`]);
    expect(removed.other).toBe(2);
  });
});

describe('packs', () => {
  test('state what the member’s own search stated, also on a page that another member found', () => {
    const other = 'Their captain is fit again.';
    const found = assembled({
      claude: ranged([{ text: harmless, url }]),
      grok: marked([{ text: other, url }]),
    });
    const [item] = found.evidence.items;
    expect([`${harmless} ${other}`, `${other} ${harmless}`]).toContain(item?.text);
    expect(packOf(found, 'claude').map(({ id, text }) => [id, text])).toEqual([['S1', harmless]]);
    expect(packOf(found, 'grok').map(({ id, text }) => [id, text])).toEqual([['S1', other]]);
    expect(packOf(found, 'gemini')).toEqual(found.evidence.items);
  });

  const many = (name: string, count: number, text = harmless) =>
    Array.from({ length: count }, (_, n) => ({
      text: `${name}${n}: ${text}`,
      url: `https://example.org/${name}/${n}`,
    }));

  test('hold at most 12 pages and 6,000 characters of 40 sources, and the report only what a pack holds', () => {
    const { evidence, packs, union } = assembled({
      claude: ranged(many('A', 40)),
      grok: ranged(many('B', 40, `Canada ${'named a squad and '.repeat(30)}left.`)),
    });
    expect(packs.claude).toHaveLength(12);
    expect(packs.grok?.reduce((chars, { text }) => chars + text.length, 0)).toBeLessThanOrEqual(6_000);
    expect(evidence.items).toHaveLength(12 + (packs.grok?.length ?? 0));
    expect(evidence.removed.other).toBe(80 - evidence.items.length);
    expect(union.length).toBeLessThanOrEqual(12);
    expect(new Set(union.flatMap(item => item.found_by))).toEqual(new Set(['claude', 'grok']));
  });

  test('are a member’s own pages, and those of all by turns for a member without any', () => {
    const found = assembled(
      { claude: ranged(many('A', 9)), gpt: marked(many('B', 9)), grok: ranged([]) },
      { failures: { grok: 'timed out' } },
    );
    expect(packOf(found, 'claude').every(item => item.found_by.includes('claude'))).toBe(true);
    expect(packOf(found, 'gpt')).toHaveLength(9);
    expect(packOf(found, 'gemini')).toBe(found.union);
    expect(packOf(found, 'grok')).toBe(found.union);
    const finders = found.union.flatMap(item => item.found_by);
    expect(finders.filter(model => model === 'claude')).toHaveLength(6);
  });

  test('number the pages in an order that does not tell who found them', () => {
    const orders = Array.from({ length: 20 }, (_, n) => {
      const { items } = assembled(
        { claude: ranged(many('A', 3)), gpt: ranged(many('B', 3)) },
        { seed: `${n}` },
      ).evidence;
      expect(items.map(({ id }) => id)).toEqual(['S1', 'S2', 'S3', 'S4', 'S5', 'S6']);
      return items.map(item => item.found_by).join();
    });
    expect(new Set(orders).size).toBeGreaterThan(5);
  });
});

describe('the status', () => {
  const research = ranged([{ text: harmless, url }]);

  test('is searched, partial or none', () => {
    expect(assembled({ claude: research, gpt: ranged([]) }).evidence.status).toBe('searched');
    const partial = assembled({ claude: research }, { failures: { gpt: 'timed out' } });
    expect(partial.evidence.status).toBe('partial');
    expect(assembled({ claude: ranged([]) }).evidence.status).toBe('none');
    expect(assembled({}, { failures: { gpt: 'a', claude: 'b' } }).evidence).toMatchObject({
      status: 'none',
      items: [],
      searches: 0,
      failures: { claude: 'b', gpt: 'a' },
    });
  });

  test('and everything else is the same whatever the order of the members', () => {
    const all = councilModels.map((model, n) => [
      model,
      ranged([{ text: `${harmless} ${n}`, url: `${url}${n % 2}` }]),
    ]);
    const there = assembled(Object.fromEntries(all));
    expect(JSON.stringify(assembled(Object.fromEntries(all.toReversed())))).toBe(JSON.stringify(there));
  });
});
