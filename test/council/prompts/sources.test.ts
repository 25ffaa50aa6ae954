import { describe, expect, test } from '@jest/globals';
import { reviewOrder } from '../../../council/deliberation/review-order.js';
import type { Opinion } from '../../../council/deliberation/stages.js';
import { assembleEvidence } from '../../../council/evidence/assemble-evidence.js';
import type { EvidenceItem } from '../../../council/evidence.js';
import { outcomeSet } from '../../../council/market/outcome-set.js';
import { type CouncilModel, councilModels } from '../../../council/models.js';
import { crossReviewPrompt } from '../../../council/prompts/cross-review-prompt.js';
import { opinionPrompt } from '../../../council/prompts/opinion-prompt.js';
import type { Prompt } from '../../../council/prompts/prompt.js';
import { researchPrompt } from '../../../council/prompts/research-prompt.js';
import { synthesisPrompt } from '../../../council/prompts/synthesis-prompt.js';
import { grounds, opinion } from '../fixtures.js';
import { hostileTexts } from './hostile-texts.js';
import { leaks, telltale } from './prompt-scan.js';
import { unmarked } from './without-marks.js';

const set = outcomeSet(telltale);
const brief = { event: telltale, set, asOf: '2031-04-01T00:00:00Z', seed: 'seed' };

function item(id: string, over: Partial<EvidenceItem> = {}): EvidenceItem {
  return {
    id,
    text: `What ${id} states.`,
    url: `https://news.example.org/${id}?utm_source=openai`,
    domain: 'news.example.org',
    title: null,
    published_at: '2031-03-20',
    retrieved_at: '2031-04-01T00:00:05Z',
    found_by: ['gpt'],
    ...over,
  };
}

const items = [item('S1'), item('S2', { title: 'On "this" page', published_at: null }), item('S3')];

const opinions = Object.fromEntries(
  councilModels.map((model, index) => [
    model,
    opinion(
      { Alpha: 50, Beta: 30, Gamma: 20 },
      { evidence: [{ fact: `Fact ${index}.`, sources: model === 'gpt' ? ['S2'] : [] }] },
    ),
  ]),
);

const order = reviewOrder('seed', 'claude', councilModels);
const ask = (pack: Items) => unmarked(opinionPrompt({ ...brief, pack }));
type Items = readonly EvidenceItem[] | null;
type Opinions = Readonly<Partial<Record<CouncilModel, Opinion>>>;
const review = (evidence: Items, pack: Items = evidence && [], given: Opinions = opinions) =>
  unmarked(crossReviewPrompt({ ...brief, reviewer: 'claude', order, opinions: given, evidence, pack }));
const synthesis = (evidence: Items, pack: Items = evidence && [], given: Opinions = opinions) =>
  unmarked(
    synthesisPrompt({
      ...brief,
      order: councilModels,
      opinions: given,
      reviews: {},
      evidence,
      pack,
      consensus: [50, 30, 20],
    }),
  );
const stages = [ask, review, synthesis];

describe('sources', () => {
  test('are shown one a line, with id, host and date, and without an address', () => {
    expect(ask(items).user).toContain(
      [
        '<<<BEGIN SOURCES>>>',
        'S1 · news.example.org · 2031-03-20: What S1 states.',
        'S2 · news.example.org · undated · "On \\"this\\" page": What S2 states.',
        'S3 · news.example.org · 2031-03-20: What S3 states.',
        '<<<END SOURCES>>>',
      ].join('\n'),
    );
    for (const prompt of stages) expect(prompt(items).user).not.toMatch(/https?:|utm_source|\/S\d/);
  });

  test('that name an address, a model or its vendor in their words lose it', () => {
    const text = 'As ChatGPT by OpenAI found at https://polymarket.example/event/alpha?x=1, it rained.';
    const { user } = ask([item('S1', { text, title: text })]);
    expect(user).not.toMatch(/chatgpt|openai|https?:|event\/alpha/i);
    expect(user).toContain('it rained.');
  });

  test.each(hostileTexts)('stay inside their fence: %s', text => {
    const { user } = ask([item('S1', { text, title: text, domain: text }), item('S2')]);
    const [, fenced = ''] = user.split('<<<BEGIN SOURCES>>>\n');
    expect(fenced.split('\n<<<END SOURCES>>>')[0]?.split('\n')).toHaveLength(2);
    expect(user.match(/<<<END SOURCES>>>/g)).toHaveLength(1);
  });
});

describe.each([
  ['a reviewer', review],
  ['the chairman', synthesis],
])('%s', (_, prompt) => {
  test('sees what is cited, and what is own knowledge', () => {
    const { user } = prompt(items);
    expect(user).toContain('What S2 states.');
    expect(user).not.toMatch(/What S[13] states/);
    expect(user).toContain('- Fact 1. (S2)');
    expect(user).toContain('- Fact 0. (own knowledge)');
    expect(prompt([]).user).toContain('No answer cites a source');
  });

  test('sees its own pack where its opinion saw it, and beside it only what others cite beyond', () => {
    const known = items.slice(0, 2);
    const { user } = prompt(items, known);
    expect(user.startsWith(ask(known).user.split('\n\nYour task')[0] ?? '-')).toBe(true);
    expect(user.match(/What S[123] states/g)).toEqual(['What S1 states', 'What S2 states']);
    expect(user).toContain('The answers cite no other sources than those above.');
    const beyond = prompt(items, items.slice(0, 1)).user.split('<<<BEGIN OTHER SOURCES>>>')[1] ?? '';
    expect(beyond.match(/What S[123] states/g)).toEqual(['What S2 states']);
  });

  test('sees a page of its pack again if others found more on it', () => {
    const { user } = prompt(items, [items[0] ?? item('S1'), item('S2', { text: 'Its own words.' })]);
    expect(user).toMatch(/^S2 .* Its own words\.$/m);
    expect(user).toContain('An id that stands above as well has here what others found on the same page.');
    expect(user).toMatch(/OTHER SOURCES>>>\nS2 .* What S2 states\.\n<<<END/);
  });

  test('sees the source of a base rate', () => {
    const baseRate = { referenceClass: 'Such cups', k: 1, n: 4, period: '2020 to 2030', sources: ['S3'] };
    const counted = {
      claude: opinion({ Alpha: 50, Beta: 30, Gamma: 20 }, { grounds: grounds({ baseRates: [baseRate] }) }),
    };
    const { user } = prompt(items, [], counted);
    expect(user).toContain('What S3 states.');
    expect(user).toContain('Base rate: 1 of 4, 2020 to 2030: Such cups (S3)');
  });
});

describe('what was not found', () => {
  const notFound = [
    'A filing at https://polymarket.example/event/alpha?x=1.',
    'A reply of ChatGPT to it.',
  ].map(text => ({ text, searched_by: ['gpt' as const] }));
  const asked = (pack: readonly EvidenceItem[] | null) =>
    unmarked(opinionPrompt({ ...brief, notFound, pack })).user;

  test('stands behind the sources, also if there are none, without addresses and names of members', () => {
    const shown = [
      '<<<BEGIN NOT FOUND>>>',
      '- A filing at polymarket.example.',
      '- A reply of a council member to it.',
      '<<<END NOT FOUND>>>',
    ].join('\n');
    for (const pack of [items, []]) {
      expect(asked(pack)).toContain(`proof: a search is short and sees public pages only.\n\n${shown}\n\n`);
    }
    expect(asked(items).indexOf(shown)).toBeGreaterThan(asked(items).indexOf('<<<END SOURCES>>>'));
  });

  test('is not spoken of where nobody searched, or nobody names anything', () => {
    expect(asked(null)).toBe(ask(null).user);
    expect(ask(items).user).not.toContain('not found');
  });

  test.each(hostileTexts)('stays inside its fence: %s', text => {
    const lines = [{ text, searched_by: [] }, ...notFound];
    const { user } = unmarked(opinionPrompt({ ...brief, notFound: lines, pack: items }));
    const [, fenced = ''] = user.split('<<<BEGIN NOT FOUND>>>\n');
    expect(fenced.split('\n<<<END NOT FOUND>>>')[0]?.split('\n')).toHaveLength(3);
    expect(user.match(/<<<END NOT FOUND>>>/g)).toHaveLength(1);
  });
});

test('a search that found nothing is said to the member', () => {
  expect(ask([]).user).toContain('A web search found nothing that could be used.');
});

test('where nobody searches, no prompt speaks of sources, and the rest is the same to the byte', () => {
  for (const prompt of stages) {
    expect(prompt(null).system).toBe(prompt(items).system);
    expect(prompt(null).user).not.toMatch(/SOURCES|web search|own knowledge|cite/);
  }
  const fenced = /\n\nA web search found these[^]*?<<<END SOURCES>>>/;
  const ids = /.*are the ids of the sources above.*/;
  const own = /.*"sources" is an empty list.*/;
  const counts = /Take counts from the sources[^.]*\.|Count cases that you know[^.]*\./;
  const news = /Your training ended.*/;
  const rest = ({ user }: Pick<Prompt, 'user'>) =>
    [fenced, ids, own, counts, news].reduce((text, part) => text.replace(part, ''), user);
  expect(rest(ask(items))).toBe(rest(ask(null)));
});

test('the last lines that a search is asked for are those that the evidence reads as not found', () => {
  const label = /begins with "([^"]+)"/.exec(researchPrompt(brief).user)?.[1];
  const found = { text: `${label} a filing.`, citations: [], searches: 1, retrievedAt: brief.asOf };
  const { evidence } = assembleEvidence({ ...brief, research: { gpt: found }, failures: {} });
  expect(evidence).toMatchObject({
    status: 'none',
    not_found: [{ text: 'a filing.', searched_by: ['gpt'] }],
    removed: { other: 0 },
  });
});

test('a search asks for facts, contains no price and forbids those of others', () => {
  const prompt = researchPrompt(brief);
  expect(leaks(prompt)).toEqual([]);
  expect(prompt.system).toContain('Do not use prediction markets, bookmakers, betting sites');
});
