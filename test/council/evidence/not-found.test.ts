import { describe, expect, test } from '@jest/globals';
import { deniedHosts } from '../../../council/evidence/denied-hosts.js';
import { notFoundMaxChars, notFoundMaxLines } from '../../../council/evidence/not-found.js';
import { sentencesOf } from '../../../council/evidence/sentences.js';
import { councilModels } from '../../../council/models.js';
import { cupMatch } from '../fixtures.js';
import { hostileTexts } from '../prompts/hostile-texts.js';
import odds from './odds-sentences.json' with { type: 'json' };
import prices from './price-phrases.json' with { type: 'json' };
import { assembled, citedTo, harmless, marked, ranged } from './research-fixtures.js';

const url = 'https://apnews.com/a';

/** A search that cites one page, and then says this. */
const saying = (text: string) => {
  const found = marked([{ text: harmless, url }]);
  return { ...found, text: `${found.text}\n${text}` };
};
const evidenceOf = (text: string) => assembled({ claude: saying(text) }).evidence;
const textsOf = (text: string) => evidenceOf(text).not_found?.map(line => line.text) ?? [];

describe('what a search did not find', () => {
  test.each([
    ['on a line of its own', 'Not found: a report of an injury.'],
    ['in a list', '- Not found: a report of an injury.'],
    ['in bold', '**Not found:** a report of an injury.'],
    ['in bold without the colon', '* **Not found**: a report of an injury.'],
    ['in capitals', 'NOT FOUND： a report of an injury.'],
    ['in a paragraph', 'The captain is fit. Not found: a report of an injury.'],
    ['below a heading', '**Not found:**\n- a report of an injury.'],
    ['before a citation', `Not found: a report of an injury. ([apnews.com](${url}))`],
  ])('is read %s', (_, text) => {
    expect(textsOf(text)).toEqual(['a report of an injury.']);
  });

  test.each([
    'The report was not found: the archive is closed.',
    'Not found',
    'Not found:',
    'Not found: —',
    '**Not found:**\nThe captain is fit.',
  ])('is not read from other text: %s', text => {
    const { not_found: notFound, ...others } = evidenceOf(text);
    expect(notFound).toBeUndefined();
    expect(Object.keys(others)).toEqual(['status', 'as_of', 'searches', 'items', 'removed', 'failures']);
  });

  test('is no statement, also where a vendor cites a page for a part of it', () => {
    const text = 'Not found: a report that Canada withdrew.';
    const part = citedTo(text, [url], text.indexOf('Canada'));
    const { items, not_found: notFound } = assembled({ claude: part, gpt: ranged([{ text, url }]) }).evidence;
    expect(items).toEqual([]);
    expect(notFound).toEqual([{ text: 'a report that Canada withdrew.', searched_by: ['claude', 'gpt'] }]);
  });

  test('is listed once, in words and an order that do not tell who searched', () => {
    const [loud, strike] = [saying('Not found: A strike!'), saying('Not found: a strike.')];
    const [injury, rain] = [saying('Not found: an injury.'), saying('Not found: rain.')];
    const orders = Array.from({ length: 20 }, (_, seed) => {
      const found = assembled({ gpt: strike, claude: loud, grok: injury, gemini: rain }, { seed: `${seed}` });
      const turned = assembled(
        { gemini: strike, grok: loud, claude: injury, gpt: rain },
        { seed: `${seed}` },
      );
      const [texts, others] = [found, turned].map(({ evidence }) =>
        evidence.not_found?.map(each => each.text),
      );
      expect(texts).toEqual(others);
      expect(found.evidence.not_found).toContainEqual({ text: 'A strike!', searched_by: ['claude', 'gpt'] });
      return texts?.join();
    });
    expect(new Set(orders).size).toBeGreaterThan(3);
    const found = assembled({ gpt: strike, claude: loud });
    expect(JSON.stringify(assembled({ claude: loud, gpt: strike }))).toBe(JSON.stringify(found));
  });

  test('is at most three lines of 200 characters for each member, and the rest is counted', () => {
    const many = (model: string) =>
      Array.from('abcdefghi', n => `Not found: ${model} ${n} ${'and a word '.repeat(40)}.`).join('\n');
    const { not_found: notFound = [], removed } = assembled(
      Object.fromEntries(councilModels.map(model => [model, saying(many(model))])),
    ).evidence;
    for (const model of councilModels) {
      const own = notFound.filter(line => line.searched_by.includes(model));
      expect(own).toHaveLength(notFoundMaxLines);
    }
    for (const { text } of notFound) expect(text).toHaveLength(notFoundMaxChars);
    expect(removed).toMatchObject({
      odds_statements: 0,
      other: councilModels.length * (9 - notFoundMaxLines),
    });
  });
});

describe('a line that could tell a price is left out', () => {
  const bare = prices.notations.flatMap(price => [
    `a reason why Canada stands at ${price}.`,
    price,
    `a poll that differs from ${price}, by the statistics office.`,
    `${cupMatch.title}: ${price}`,
  ]);
  const quoted = prices.phrases.flatMap(phrase => prices.notations.map(price => `${phrase} ${price}.`));
  const sentences = Object.values(odds)
    .flat()
    .filter(text => sentencesOf(text).length === 1);
  const hosts = deniedHosts.flatMap(host => [`a page at ${host} on Canada.`, `https%3A%2F%2F${host}%2Fcup.`]);

  test.each([
    ['in every notation, also beside nothing that speaks of odds', bare],
    ['in every phrase', quoted],
    ['as odds in words', sentences],
    ['by the host of a market', hosts],
  ])('%s', (_, lines) => {
    const kept = lines.flatMap(line => textsOf(`Not found: ${line}`));
    expect(kept).toEqual([]);
  });

  test.each(['62%', 'two-thirds'])('where it goes on from a sentence on odds, and is counted: %s', price => {
    const { not_found: notFound, removed } = evidenceOf(
      `Bettors disagree.\nNot found: why they give ${price}.`,
    );
    expect(notFound).toBeUndefined();
    expect(removed).toMatchObject({ odds_statements: 2, other: 0 });
  });

  test('where the price is cut off', () => {
    for (let chars = notFoundMaxChars - 8; chars < notFoundMaxChars + 8; chars += 1)
      expect(textsOf(`Not found: ${'word '.repeat(40).slice(0, chars - 2)}at 61.8%`)).toEqual([]);
  });

  test('where the words that made it law or business are cut off', () => {
    const ruling = (words: string) => textsOf(`Not found: a paper on bookmakers ${words}by the regulator.`);
    expect(ruling('')).toHaveLength(1);
    expect(ruling('of this town '.repeat(20))).toEqual([]);
  });

  test('but not for dates and counts', () => {
    const line = 'a team sheet of 31 March 2031, or a statement of the 2 coaches since the match in 2027.';
    expect(textsOf(`Not found: ${line}`)).toEqual([line]);
  });
});

test.each(hostileTexts.map(text => [text]))('text that speaks to a model stays on its line: %j', text => {
  for (const line of textsOf(`Not found: ${text}`))
    expect(line).not.toMatch(/[\n\u2028\u2029\u0085]|<<<|>>>/);
});
