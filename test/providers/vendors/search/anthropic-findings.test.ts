import { describe, expect, test } from '@jest/globals';
import { giveUpAfterMs } from '../../../support/until.js';
import { failureOf } from '../../failure-of.js';
import { searchQuestion } from '../../questions.js';
import { json } from '../raw-server.js';
import {
  failedSearch,
  location,
  message,
  ok,
  results,
  searchUse,
  useSearchServers,
} from './search-server.js';

const serve = useSearchServers();

async function search(...answers: readonly object[]) {
  return (await serve(...answers.map(ok))).providers.claude.search(searchQuestion());
}

function text(words: string, ...citations: readonly object[]) {
  return { type: 'text', text: words, citations: citations.length === 0 ? null : citations };
}

const a = 'https://apnews.com/a';
const b = 'https://example.org/b';
const thinking = { type: 'thinking', thinking: 'Who leads?', signature: 's' };
const paid = { modelId: 'claude-x', inputTokens: 9, outputTokens: 5 };

describe('the citations of Anthropic', () => {
  test('are the statement of their block, in the joined text', async () => {
    const { text: whole, citations } = await search(
      message(
        [
          thinking,
          text('I look it up 🏆.'),
          searchUse,
          results(
            { url: a, title: 'A', page_age: 'November 20, 2026' },
            { url: b, title: 'B', page_age: null },
            { url: 'https://example.org/unused', title: 'C', page_age: 'today' },
          ),
          text('So: '),
          text('Ada führt 🏆', location(a, 'A'), location(b, null)),
          text(', and '),
          text('Bela follows', location(b, 'B'), { type: 'char_location', cited_text: 'x' }),
          text('', location(a, 'A')),
          text('.'),
        ],
        'end_turn',
      ),
    );
    expect(whole).toBe('I look it up 🏆.\n\nSo: Ada führt 🏆, and Bela follows.');
    expect(citations.map(({ start, end, ...page }) => ({ at: whole.slice(start, end), ...page }))).toEqual([
      { at: 'Ada führt 🏆', marks: 'statement', url: a, title: 'A', pageAge: 'November 20, 2026' },
      { at: 'Ada führt 🏆', marks: 'statement', url: b, title: null, pageAge: null },
      { at: 'Bela follows', marks: 'statement', url: b, title: 'B', pageAge: null },
    ]);
  });

  test('come with the searches that were made, also beyond the maximum', async () => {
    expect(await search(message([text('Ada.')], 'end_turn', 9))).toMatchObject({ searches: 9 });
  });

  test('may be missing, as may the count of searches', async () => {
    const { usage, ...body } = message([{ type: 'text', text: 'Ada.' }], 'end_turn');
    const { server_tool_use: _, ...tokens } = usage;
    const answer = await search({ ...body, usage: tokens });
    expect(answer).toEqual({ text: 'Ada.', citations: [], ...paid, searches: 0, blockList: 'sent' });
  });
});

describe('a paused answer', () => {
  const pausedContent = [
    thinking,
    searchUse,
    results({ url: a, title: 'A', page_age: 'May 2026' }),
    { ...searchUse, caller: { type: 'direct' } },
  ];
  const paused = message(pausedContent, 'pause_turn', 3);
  const rest = message([results({ url: b }), text('Ada leads', location(a, 'A')), text('.')], 'end_turn', 2);

  test('is continued once with its content unchanged, and its usage is added', async () => {
    const { providers, bodies } = await serve(ok(paused), ok(rest));
    expect(await providers.claude.search(searchQuestion())).toEqual({
      text: 'Ada leads.',
      citations: [{ start: 0, end: 9, marks: 'statement', url: a, title: 'A', pageAge: 'May 2026' }],
      modelId: 'claude-x',
      inputTokens: 18,
      outputTokens: 10,
      searches: 5,
      blockList: 'sent',
    });
    const [first, second] = bodies;
    expect(second).toEqual({
      ...first,
      messages: [...first.messages, { role: 'assistant', content: pausedContent }],
      tools: [{ ...first.tools[0], max_uses: 1 }],
    });
    expect(bodies).toHaveLength(2);
  });

  test('joins what was said before the pause', async () => {
    const before = message([text('Ada leads', location(a, 'A')), searchUse], 'pause_turn');
    const after = message([results(), text('Bela follows', location(b, 'B'))], 'end_turn');
    const { text: whole, citations } = await search(before, after);
    expect(whole).toBe('Ada leads\n\nBela follows');
    expect(citations.map(({ start, end }) => whole.slice(start, end))).toEqual(['Ada leads', 'Bela follows']);
  });

  test('that pauses again is invalid, and everything is billed', async () => {
    const { providers, bodies } = await serve(ok(paused));
    const failure = await failureOf(providers.claude.search(searchQuestion()));
    const usage = { modelId: 'claude-x', inputTokens: 18, outputTokens: 10, searches: 6 };
    expect(failure).toMatchObject({ kind: 'invalid_answer', truncated: false, usage });
    expect(bodies).toHaveLength(2);
  });

  test('bills what was used before its continuation failed', async () => {
    const server = await serve(ok(paused), json(429, { error: {} }, { 'retry-after': '7' }));
    expect(await failureOf(server.providers.claude.search(searchQuestion()))).toMatchObject({
      kind: 'rate_limited',
      retryable: true,
      retryAfterMs: 7_000,
      status: 429,
      usage: { ...paid, searches: 3 },
    });
  });

  test('shares the time of the search with its continuation', async () => {
    const server = await serve(ok(paused), () => undefined);
    const failure = await failureOf(
      server.providers.claude.search(searchQuestion({ timeoutMs: giveUpAfterMs })),
    );
    expect(failure).toMatchObject({ kind: 'timed_out', status: null, usage: { ...paid, searches: 3 } });
    expect(server.bodies).toHaveLength(2);
  });
});

describe('a search that failed at Anthropic with status 200', () => {
  test.each(['unavailable', 'too_many_requests', 'max_uses_exceeded'])(
    '(%s) does not cost what the model wrote',
    async code => {
      const answer = await search(message([searchUse, failedSearch(code), text('From memory.')], 'end_turn'));
      expect(answer).toMatchObject({ text: 'From memory.', citations: [], searches: 1 });
    },
  );

  test.each([
    ['unavailable', 'unavailable'],
    ['too_many_requests', 'unavailable'],
    ['query_too_long', 'unavailable'],
    ['max_uses_exceeded', 'invalid_answer'],
  ])('(%s) without text is %s', async (code, kind) => {
    const failure = await failureOf(search(message([searchUse, failedSearch(code)], 'end_turn')));
    const usage = { ...paid, searches: 1 };
    expect(failure).toMatchObject({ kind, retryable: false, status: 200, usage });
  });
});

test.each([
  ['max_tokens', { kind: 'invalid_answer', truncated: true }],
  ['model_context_window_exceeded', { kind: 'invalid_answer', truncated: false }],
  ['tool_use', { kind: 'invalid_answer', truncated: false }],
  ['refusal', { kind: 'refused', truncated: false }],
])('an answer of Anthropic with stop reason %s reports tokens and searches', async (stopReason, expected) => {
  const failure = await failureOf(search(message([searchUse, results(), text('Ada')], stopReason, 2)));
  const usage = { ...paid, searches: 2 };
  expect(failure).toMatchObject({ ...expected, retryable: false, status: 200, usage });
});
