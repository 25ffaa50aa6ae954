import { describe, expect, test } from '@jest/globals';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import fc from 'fast-check';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { keyVendors } from '../../../contract/product.js';
import { entryText } from '../../../web/account/billing/format-ledger.js';
import { ownKeysText } from '../../../web/account/keys/format-provider-keys.js';
import { limitsText, newKeyIn } from '../../../web/account/keys/key-limits.js';
import { useSession } from '../../../web/account/use-session.js';
import { PageApiContext } from '../../../web/api/api.js';
import { createApi } from '../../../web/api/create-api.js';
import { creditsText, grouped, signed } from '../../../web/shared/format.js';
import { ownPath } from '../../../web/shared/paths.js';
import { pageIn } from '../../../web/shared/read-input.js';

describe('the target of a sign-in', () => {
  const site = 'https://council.example';

  test('is a path of this site, unchanged', () => {
    for (const path of ['/', '/keys', '/events/a%2Fb?x=1&y=%20#z', '/account?page=2'])
      expect(ownPath(path)).toBe(path);
  });

  test('is the home page for anything that a browser would read as another site', () => {
    const outside = [
      null,
      '',
      'evil.test',
      'https://evil.test',
      '//evil.test',
      '///evil.test',
      '/\\evil.test',
      '\\/evil.test',
      '\\\\evil.test/',
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

  test('is never another site, for any input', () => {
    const awkward = fc.string({
      unit: fc.constantFrom('/', '\\', '.', '\t', '\n', ' ', '@', ':', '%2e', '?', '#', 'a'),
    });
    const scheme = fc.constantFrom('http:', 'https:', 'javascript:', 'data:');
    const host = fc.constantFrom(
      '',
      '//evil.test',
      '//evil.test:81/a?b#c',
      '//a@evil.test/',
      '//[::1]',
      'evil.test',
    );
    const address = fc.tuple(scheme, host, awkward).map(parts => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(awkward, fc.string(), address), to =>
        [to, `/${to}`].every(path => new URL(ownPath(path), site).origin === site),
      ),
      { numRuns: 1_000 },
    );
  });
});

describe('the page of a list', () => {
  test('is the first, unless the address names a valid page', () => {
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

describe('the text about provider keys', () => {
  test('names the missing keys, and that one OpenRouter key is enough', () => {
    expect(ownKeysText([]).text).toContain('OpenAI, Anthropic, Google and xAI. One OpenRouter key');
    expect(ownKeysText(['openai', 'anthropic', 'google'])).toMatchObject({
      isReady: false,
      text: expect.stringContaining('keys for xAI. One'),
    });
  });

  test('misses nothing with all four keys, or with OpenRouter alone', () => {
    const all = keyVendors.filter(vendor => vendor !== 'openrouter');
    expect(ownKeysText(all)).toMatchObject({
      isReady: true,
      text: expect.stringContaining('a key for each model'),
    });
    expect(ownKeysText(['openrouter'])).toMatchObject({
      isReady: true,
      text: expect.stringContaining('through OpenRouter'),
    });
  });
});

describe('the text of a ledger entry', () => {
  test('differs for every kind and pool', () => {
    const kinds = ['purchase', 'grant', 'charge', 'refund', 'adjustment'] as const;
    const texts = kinds.flatMap(kind =>
      (['purchased', 'weekly_grant'] as const).map(pool => entryText({ kind, pool, amount_credits: -1 })),
    );
    for (const text of texts) expect(text).toMatch(/^[A-Z][a-z ]+$/);
    expect(new Set(texts).size).toBe(kinds.length + 2);
  });

  test('distinguishes reversed payments from restored ones', () => {
    const adjusted = { kind: 'adjustment', pool: 'purchased' } as const;
    expect(entryText({ ...adjusted, amount_credits: -5 })).toBe('Payment reversed');
    expect(entryText({ ...adjusted, amount_credits: 5 })).toBe('Payment restored');
  });
});

describe('numbers', () => {
  test('groups thousands without line breaks', () => {
    expect([0, 999, 1_000, -12_345, 1_234_567].map(grouped)).toEqual([
      '0',
      '999',
      '1\u202f000',
      '−12\u202f345',
      '1\u202f234\u202f567',
    ]);
    expect([creditsText(1), creditsText(2)]).toEqual(['1 credit', '2 credits']);
  });

  test('has no sign if it is rounded to 0', () => {
    expect([signed(0.04), signed(-0.04), signed(0.05), signed(-1)]).toEqual(['0.0', '0.0', '+0.1', '−1.0']);
  });
});

test('a part of a page that is taken over after the session has arrived begins as the server rendered it', () => {
  const queryClient = new QueryClient();
  const served = firstRender(queryClient);
  expect(served).toContain('not known yet');
  queryClient.setQueryData(['private', 'session'], () => ({ email: 'member@example.org' }));
  expect(firstRender(queryClient)).toBe(served);
});

const api = createApi({ baseUrl: 'http://page', sessions: null });

function Greeting() {
  const { data } = useSession();
  return createElement('p', null, data === undefined ? 'not known yet' : (data?.email ?? 'nobody'));
}

/** What a part of the page shows when React takes it over: it renders as on the server, and compares the two. */
function firstRender(queryClient: QueryClient): string {
  const content = createElement(PageApiContext, { value: api }, createElement(Greeting));
  return renderToString(createElement(QueryClientProvider, { client: queryClient }, content));
}

describe('the limits of a key', () => {
  const form = (fields: Record<string, string>) => {
    const filled = new FormData();
    for (const [name, value] of Object.entries(fields)) filled.set(name, value);
    return newKeyIn(filled);
  };

  test('are those of the form, and an empty field is no limit', () => {
    const empty = { name: 'laptop', scope: 'spend', expires_on: '', max_credits_per_day: '' };
    expect(form(empty)).toEqual({ name: 'laptop', scope: 'spend' });
    const limits = { scope: 'read', expires_on: '2031-03-05', max_credits_per_day: '300' };
    expect(form({ ...empty, ...limits })).toEqual({
      name: 'laptop',
      scope: 'read',
      expires_at: '2031-03-06T00:00:00.000Z',
      max_credits_per_day: 300,
    });
  });

  test('are one line in the list', () => {
    const key = {
      id: '1',
      name: 'laptop',
      key_prefix: 'pc_live_1234',
      created_at: '2031-03-05T00:00:00.000Z',
    };
    const unlimited = { scope: 'spend', expires_at: null, max_credits_per_day: null } as const;
    const shown = { ...key, ...unlimited, last_used_at: null, last_used_from: null };
    expect(limitsText(shown)).toBe('reads and buys');
    const limited = { ...shown, max_credits_per_day: 300, expires_at: '2091-03-05T00:00:00.000Z' };
    expect(limitsText(limited)).toBe(
      'reads and buys, at most 300 credits a day, works until 5 Mar 2091, 00:00 UTC',
    );
    const ended = { ...shown, scope: 'read', expires_at: '2021-03-05T00:00:00.000Z' } as const;
    expect(limitsText(ended)).toBe('only reads, expired 5 Mar 2021, 00:00 UTC');
  });
});
