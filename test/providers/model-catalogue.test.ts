import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { councilModels } from '../../council/models.js';
import { atMostUsdMicros, costUsdMicros, loadModelCatalogue } from '../../providers/model-catalogue.js';
import { cataloguePath } from './catalogue.js';

const folder = mkdtempSync(join(tmpdir(), 'catalogue-'));
afterAll(() => rmSync(folder, { recursive: true }));

const shipped = readFileSync(cataloguePath, 'utf8');

function load(yaml: string) {
  const path = join(folder, 'models.yaml');
  writeFileSync(path, yaml);
  return loadModelCatalogue(path);
}

describe('the model catalogue', () => {
  test('has a vendor id, an OpenRouter id, limits by stage and prices for each member', () => {
    const catalogue = loadModelCatalogue(cataloguePath);
    expect(Object.keys(catalogue).sort()).toEqual([...councilModels].sort());
    expect(catalogue.claude).toEqual({
      vendor: 'anthropic',
      modelId: 'claude-opus-5-5',
      openRouterModelId: 'anthropic/claude-opus-5.5',
      limits: {
        research: { maxOutputTokens: 6_000, effort: 'low', thinkingBudgetTokens: null },
        opinions: { maxOutputTokens: 8_000, effort: 'medium', thinkingBudgetTokens: null },
        cross_review: { maxOutputTokens: 8_000, effort: 'low', thinkingBudgetTokens: null },
        synthesis: { maxOutputTokens: 4_000, effort: 'low', thinkingBudgetTokens: null },
        market_gap: { maxOutputTokens: 4_000, effort: 'low', thinkingBudgetTokens: null },
      },
      inputUsdPerMillionTokens: 4,
      cachedInputUsdPerMillionTokens: 0.2,
      cacheWriteUsdPerMillionTokens: 5,
      outputUsdPerMillionTokens: 20,
      search: 'web',
      searchUsdPerThousand: 10,
    });
  });

  test('lets a stage replace what it names: an effort replaces a budget, the room stays', () => {
    const budget = shipped.replace('effort: medium', 'thinking_budget_tokens: 2000');
    expect(load(budget).claude.limits).toEqual({
      research: { maxOutputTokens: 6_000, effort: 'low', thinkingBudgetTokens: null },
      opinions: { maxOutputTokens: 8_000, effort: null, thinkingBudgetTokens: 2_000 },
      cross_review: { maxOutputTokens: 8_000, effort: 'low', thinkingBudgetTokens: null },
      synthesis: { maxOutputTokens: 4_000, effort: 'low', thinkingBudgetTokens: null },
      market_gap: { maxOutputTokens: 4_000, effort: 'low', thinkingBudgetTokens: null },
    });
  });

  test('lets a member of OpenAI that does not search think as little as it can', () => {
    const silent = shipped.replace(
      /(vendor: openai[\s\S]*?research: \{ effort: )low([\s\S]*?search: )web/,
      '$1minimal$2none',
    );
    expect(load(silent).gpt).toMatchObject({ search: 'none', limits: { research: { effort: 'minimal' } } });
  });

  test('needs no effort and no stages: the vendors’ defaults apply at every stage', () => {
    const plain = shipped.replace(/ {2}effort: .*\n/g, '').replace(/ {2}stages:\n(?: {4}.*\n)+/g, '');
    const limits = { maxOutputTokens: 8_000, effort: null, thinkingBudgetTokens: null };
    expect(load(plain).gpt.limits).toEqual({
      research: limits,
      opinions: limits,
      cross_review: limits,
      synthesis: limits,
      market_gap: limits,
    });
  });

  test.each([
    ['an unknown field', shipped.replace('  vendor: openai', '  vendor: openai\n  api_key: x'), /api_key/],
    ['an unknown member', `${shipped}\nllama: {}\n`, /llama/],
    ['a missing member', shipped.replace(/^grok:[\s\S]*/m, ''), /grok/],
    ['an unknown vendor', shipped.replace('vendor: xai', 'vendor: x'), /grok\.vendor/],
    [
      'no OpenRouter id',
      shipped.replace(/ {2}openrouter_model_id: openai.*\n/, ''),
      /gpt\.openrouter_model_id/,
    ],
    ['a name without an author', shipped.replace('x-ai/grok', 'grok'), /grok\.openrouter_model_id/],
    ['a name that leads elsewhere', shipped.replace('x-ai/grok', '../grok'), /grok\.openrouter_model_id/],
    ['a name of three parts', shipped.replace('x-ai/grok', 'x/ai/grok'), /grok\.openrouter_model_id/],
    [
      'a negative price',
      shipped.replace('tokens: 2.5', 'tokens: -2.5'),
      /gpt\.cache_write_usd_per_million_tokens/,
    ],
    [
      'an effort that the vendor does not have',
      shipped.replace('cross_review: { effort: low }', 'cross_review: { effort: none }'),
      /effort must be one of low, medium, high, xhigh, max at anthropic[\s\S]*claude\.stages\.cross_review/,
    ],
    [
      'an effort and a budget',
      shipped.replace('effort: medium', 'effort: medium\n  thinking_budget_tokens: 2000'),
      /not both[\s\S]*claude\.stages\.opinions/,
    ],
    [
      'a budget at a vendor that takes none',
      shipped.replace(/(vendor: openai[\s\S]*?)effort: medium/, '$1thinking_budget_tokens: 2000'),
      /openai takes an effort[\s\S]*gpt\.stages\.opinions/,
    ],
    [
      'a budget as large as the answer',
      shipped.replace('effort: medium', 'thinking_budget_tokens: 8000'),
      /below max_output_tokens[\s\S]*claude\.stages\.opinions/,
    ],
    ['an unknown search', shipped.replace('\n  search: web', '\n  search: news'), /claude\.search/],
    [
      'a search that its effort excludes',
      shipped.replace(/(vendor: openai[\s\S]*?research: \{ effort: )low/, '$1minimal'),
      /does not search at the effort minimal[\s\S]*gpt\.search/,
    ],
    ['an unknown stage', shipped.replace('synthesis: {', 'summary: {'), /claude\.stages/],
    ['a member named twice', `${shipped}\ngpt: {}\n`, /unique/],
  ])('is rejected with %s, and the error names the field', (_, yaml, where) => {
    expect(() => load(yaml)).toThrow(where);
  });
});

describe('the cost of a call', () => {
  const entry = {
    inputUsdPerMillionTokens: 2.5,
    cachedInputUsdPerMillionTokens: 0.25,
    cacheWriteUsdPerMillionTokens: 3.125,
    outputUsdPerMillionTokens: 15,
    searchUsdPerThousand: 10,
  };

  test.each([
    [1_000, 500, 0, 10_000],
    [1, 0, 0, 3],
    [0, 1, 0, 15],
    [0, 0, 0, 0],
    [0, 0, 3, 30_000],
    [1_000_000, 1_000_000, 1, 17_510_000],
  ])(
    'of %i input and %i output tokens and %i searches is %i micro-dollars, rounded up',
    (inputTokens, outputTokens, searches, micros) => {
      expect(costUsdMicros(entry, { inputTokens, outputTokens, searches })).toBe(micros);
    },
  );

  test.each([
    ['served by a cache', { cachedInputTokens: 600 }, 400 * 2.5 + 600 * 0.25],
    ['stored in a cache', { cacheWriteTokens: 600 }, 400 * 2.5 + 600 * 3.125],
    ['both', { cachedInputTokens: 600, cacheWriteTokens: 200 }, 200 * 2.5 + 600 * 0.25 + 200 * 3.125],
    ['more than all of it', { cachedInputTokens: 900, cacheWriteTokens: 900 }, 900 * 0.25 + 100 * 3.125],
  ])('takes each input token at one price: %s', (_, cache, micros) => {
    expect(costUsdMicros(entry, { inputTokens: 1_000, outputTokens: 0, ...cache })).toBe(Math.ceil(micros));
  });

  test('takes what is stored as other input where the vendor bills no storing', () => {
    const usage = { inputTokens: 1_000, outputTokens: 0, cacheWriteTokens: 400 };
    expect(costUsdMicros({ ...entry, cacheWriteUsdPerMillionTokens: null }, usage)).toBe(2_500);
  });

  test('is exact where floating point would round up one micro-dollar too many', () => {
    expect(Math.ceil(0.07 * 100)).toBe(8);
    const awkward = { ...entry, inputUsdPerMillionTokens: 0.07 };
    expect(costUsdMicros(awkward, { inputTokens: 100, outputTokens: 0 })).toBe(7);
  });
});

describe('the most that an unreported call may cost', () => {
  const { claude } = loadModelCatalogue(cataloguePath);
  const unbilled = { ...claude, cacheWriteUsdPerMillionTokens: null };
  const prompt = 'x'.repeat(3_000);
  const call = { prompt, maxOutputTokens: 100, maxSearches: 0 };

  test('is the whole prompt at the dearest price of input, and all output', () => {
    const output = 100 * claude.outputUsdPerMillionTokens;
    expect(atMostUsdMicros(claude, call)).toBe(1_000 * 5 + output);
    expect(atMostUsdMicros(unbilled, call)).toBe(1_000 * 4 + output);
  });

  /** A search as Anthropic bills it: after each search the model reads the prompt and all pages again. */
  function reported(searches: number, pageTokens: number, isCached: boolean) {
    const turns = searches + 1;
    const inputTokens = turns * 1_000 + ((turns * searches) / 2) * pageTokens;
    const cacheWriteTokens = 1_000 + searches * pageTokens;
    const cache = isCached ? { cacheWriteTokens, cachedInputTokens: inputTokens - cacheWriteTokens } : {};
    return { inputTokens, outputTokens: 100, searches, ...cache };
  }

  test.each([1, 2, 3, 4])(
    'bounds a search of up to four that made %i, with and without a cache',
    searches => {
      for (const entry of [claude, unbilled]) {
        const most = atMostUsdMicros(entry, { ...call, maxSearches: 4 });
        for (const pageTokens of [100, 7_000, 10_000]) {
          expect(most).toBeGreaterThanOrEqual(costUsdMicros(entry, reported(searches, pageTokens, false)));
          expect(most).toBeGreaterThanOrEqual(costUsdMicros(entry, reported(searches, pageTokens, true)));
        }
      }
    },
  );
});

test('a catalogue of release 1.0.0 has one price of input, and asks for no marks', () => {
  const { claude } = load(shipped.replace(/ {2}ca(ched_input|che_write)_usd.*\n/g, ''));
  expect(claude.cachedInputUsdPerMillionTokens).toBe(claude.inputUsdPerMillionTokens);
  expect(claude.cacheWriteUsdPerMillionTokens).toBeNull();
});
