import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { councilModels } from '../../council/models.js';
import { costUsdMicros, loadModelCatalogue } from '../../providers/model-catalogue.js';
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
  test('has a vendor id, an OpenRouter id, a token limit and two prices for each member', () => {
    const catalogue = loadModelCatalogue(cataloguePath);
    expect(Object.keys(catalogue).sort()).toEqual([...councilModels].sort());
    expect(catalogue.claude).toEqual({
      vendor: 'anthropic',
      modelId: 'claude-opus-5-5',
      openRouterModelId: 'anthropic/claude-opus-5.5',
      maxOutputTokens: 8_000,
      inputUsdPerMillionTokens: 5,
      outputUsdPerMillionTokens: 25,
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
    ['a negative price', shipped.replace(': 2.5', ': -2.5'), /gpt\.input_usd_per_million_tokens/],
    ['a member named twice', `${shipped}\ngpt: {}\n`, /unique/],
  ])('is rejected with %s, and the error names the field', (_, yaml, where) => {
    expect(() => load(yaml)).toThrow(where);
  });
});

describe('the cost of a call', () => {
  const entry = { inputUsdPerMillionTokens: 2.5, outputUsdPerMillionTokens: 15 };

  test.each([
    [1_000, 500, 10_000],
    [1, 0, 3],
    [0, 1, 15],
    [0, 0, 0],
    [1_000_000, 1_000_000, 17_500_000],
  ])('of %i input and %i output tokens is %i micro-dollars, rounded up', (input, output, micros) => {
    expect(costUsdMicros(entry, input, output)).toBe(micros);
  });

  test('is exact where floating point would round up one micro-dollar too many', () => {
    expect(Math.ceil(0.07 * 100)).toBe(8);
    const awkward = { inputUsdPerMillionTokens: 0.07, outputUsdPerMillionTokens: 0 };
    expect(costUsdMicros(awkward, 100, 0)).toBe(7);
  });
});
