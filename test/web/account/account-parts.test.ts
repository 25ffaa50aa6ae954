import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { keyVendors } from '../../../contract/product.js';
import { entryWords } from '../../../web/account/billing/format-ledger.js';
import { ownKeysWords } from '../../../web/account/keys/format-provider-keys.js';
import { credits, grouped, signed } from '../../../web/shared/format.js';
import { ownPath, pageIn } from '../../../web/shared/read-input.js';

describe('where a sign-in leads', () => {
  const site = 'https://council.example';

  test('to a path of this site, as it was asked for', () => {
    for (const path of ['/', '/keys', '/events/a%2Fb?x=1&y=%20#z', '/account?page=2'])
      expect(ownPath(path)).toBe(path);
  });

  test('to the start from anything that a browser would take for another site', () => {
    const outside = [
      null,
      '',
      'evil.test',
      'https://evil.test',
      '//evil.test',
      '///evil.test',
      '/\\evil.test',
      '\\/evil.test',
      '/\t/evil.test',
      '/\n/evil.test',
      '/.//evil.test',
      '/x/..//evil.test',
      '/%2e//evil.test',
      'javascript:alert(1)',
      ' //evil.test',
    ];
    for (const to of outside) expect([to, ownPath(to)]).toEqual([to, '/']);
  });

  test('never elsewhere, whatever it was given', () => {
    const awkward = fc.string({
      unit: fc.constantFrom('/', '\\', '.', '\t', '\n', ' ', '@', ':', '%2e', '?', '#', 'a'),
    });
    fc.assert(
      fc.property(fc.oneof(awkward, fc.string(), fc.webUrl()), to => {
        expect(new URL(ownPath(to), site).origin).toBe(site);
        expect(new URL(ownPath(`/${to}`), site).origin).toBe(site);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('which page of a list is meant', () => {
  test('the first, unless a page is named that there can be', () => {
    const pages = [
      '',
      'page=2',
      'page=0',
      'page=-1',
      'page=1.5',
      'page=x',
      'page=1e99',
      'page=10001',
      'page=10000',
    ];
    expect(pages.map(search => pageIn(new URLSearchParams(search)))).toEqual([
      1, 2, 1, 1, 1, 1, 1, 1, 10_000,
    ]);
  });
});

describe('whether own keys are enough', () => {
  test('says what is missing, and that one key of OpenRouter would do', () => {
    expect(ownKeysWords([]).text).toContain('OpenAI, Anthropic, Google and xAI. Or one key of OpenRouter');
    expect(ownKeysWords(['openai', 'anthropic', 'google'])).toMatchObject({
      isReady: false,
      text: expect.stringContaining('keys: xAI. Or'),
    });
  });

  test('with all four, or OpenRouter alone, nothing is missing', () => {
    const all = keyVendors.filter(vendor => vendor !== 'openrouter');
    expect(ownKeysWords(all)).toMatchObject({
      isReady: true,
      text: expect.stringContaining('a key for each model'),
    });
    expect(ownKeysWords(['openrouter'])).toMatchObject({
      isReady: true,
      text: expect.stringContaining('through OpenRouter'),
    });
  });
});

describe('what a movement is called', () => {
  test('every kind in every pool has words of its own', () => {
    const kinds = ['purchase', 'grant', 'charge', 'refund', 'adjustment'] as const;
    const words = kinds.flatMap(kind =>
      (['purchased', 'weekly_grant'] as const).map(pool => entryWords({ kind, pool, amount_credits: -1 })),
    );
    for (const word of words) expect(word).toMatch(/^[A-Z][a-z ]+$/);
    expect(new Set(words).size).toBe(kinds.length + 2);
  });

  test('money that went back and credits that came back differ', () => {
    const adjusted = { kind: 'adjustment', pool: 'purchased' } as const;
    expect(entryWords({ ...adjusted, amount_credits: -5 })).toBe('Payment taken back');
    expect(entryWords({ ...adjusted, amount_credits: 5 })).toBe('Payment restored');
  });
});

describe('numbers', () => {
  test('thousands are apart, and never on two lines', () => {
    expect([0, 999, 1_000, -12_345, 1_234_567].map(grouped)).toEqual([
      '0',
      '999',
      '1\u202f000',
      '−12\u202f345',
      '1\u202f234\u202f567',
    ]);
    expect([credits(1), credits(2)]).toEqual(['1 credit', '2 credits']);
  });

  test('what is written as nothing has no sign', () => {
    expect([signed(0.04), signed(-0.04), signed(0.05), signed(-1)]).toEqual(['0.0', '0.0', '+0.1', '−1.0']);
  });
});
