import { expect, test } from '@jest/globals';
import type { EventView } from '../../../contract/events.js';
import { useSurfaces } from '../../markets/kinds/surfaces.js';
import { council } from '../../support/service/council-command.js';

const { service } = await useSurfaces();
const caller = await service.newCaller(10_000);
const env = { COUNCIL_API_KEY: caller.key, COUNCIL_BASE_URL: service.url };

async function eventOf(id: string): Promise<EventView> {
  const { body } = await caller.get(`/api/events/${id}`);
  return body;
}

const onPolymarket = (url: string, question: string) => ({
  id: '0xc0ffee',
  source: 'polymarket',
  question,
  url,
});

test('a ForecastBench question set buys the events of its questions, each once, and names what it leaves out', async () => {
  const found = await eventOf('910001');
  const named = await eventOf('910002');
  const rates = await eventOf('kalshi:KXSIMCUP-31');
  const [searched] = found.markets;
  const ticker = rates.markets[0]?.slug ?? '';
  const questions = [
    onPolymarket(`https://polymarket.com/market/${searched?.slug}`, found.title),
    onPolymarket(
      `https://polymarket.com/event/${named.url?.split('/').at(-1)}/${named.markets[0]?.slug}`,
      'in other words',
    ),
    { id: ticker, source: 'kalshi', question: 'x', url: `https://kalshi.com/markets/${ticker}` },
    // Another market of the same event.
    { id: rates.markets.at(-1)?.slug, source: 'kalshi' },
    { id: 'KXNONE-26DEC-T1', source: 'kalshi' },
    onPolymarket('https://polymarket.com/market/there-is-none', 'Is there none?'),
    onPolymarket('N/A', 'x'),
    { id: 'DGS10', source: 'fred', question: 'x', url: 'https://fred.stlouisfed.org' },
    { id: ['a', 'b'], source: 'kalshi' },
  ];
  const set = JSON.stringify({
    forecast_due_date: '2031-03-02',
    question_set: '2031-03-02-llm.json',
    questions,
  });
  const run = ['batch', 'run', '-', '--budget', '3000', '--dry-run'];
  const { code, out } = await council([...run, '--json'], env, set);
  expect(code).toBe(0);
  const { plan, left_out } = JSON.parse(out);
  expect(plan.rows).toMatchObject([found, named, rates].map(({ event_id }) => ({ event_id, kind: 'fresh' })));
  expect(left_out).toMatchObject([
    { place: 'question 5', reason: 'no event of the service has the market KXNONE-26DEC-T1' },
    { place: 'question 6', reason: 'no event of the service has the market there-is-none' },
    { place: 'question 7', reason: '`url` is no page of a market at polymarket.com' },
    {
      place: 'question 8',
      id: 'DGS10',
      source: 'fred',
      reason: expect.stringContaining('questions of fred'),
    },
    { place: 'question 9', id: 'a and b', reason: expect.stringContaining('combination') },
  ]);
  const { err } = await council(run, env, set);
  expect(err).toContain('        9 of 9 questions looked up\n');
  expect(err).toContain('Left out question 8 (fred DGS10): ');
  const none = await council(run, env, JSON.stringify({ questions: questions.slice(4) }));
  expect([none.code, none.err]).toEqual([2, expect.stringContaining('names no event')]);
});
