import { afterAll, expect } from '@jest/globals';
import { createKalshiEventSource } from '../../../markets/kalshi/kalshi-event-source.js';
import { createKalshiKept } from '../../../markets/kalshi/kalshi-kept.js';
import { createGammaEventSource } from '../../../markets/polymarket/gamma-event-source.js';
import kalshiEvents from '../../../simulator/venues/kalshi-events.json' with { type: 'json' };
import { startVenues } from '../../../simulator/venues/start-venues.js';

/** Simulated venues that are changed over HTTP, and our own adapters of them. */
export async function useControlledVenues() {
  let time = Date.parse('2026-11-26T12:00:00Z');
  /** Each request comes a second after the last, so that the venues' limits do not matter here. */
  const venues = await startVenues({
    now: () => {
      time += 1_000;
      return time;
    },
  });
  afterAll(() => venues.close());
  const now = () => new Date(time);
  const post = async (body: unknown) => {
    const answer = await fetch(venues.controlUrl, { method: 'POST', body: JSON.stringify(body) });
    return { status: answer.status, body: JSON.parse(await answer.text()) };
  };
  const act = async (action: object) =>
    expect(await post(action)).toEqual({ status: 200, body: { done: action } });
  return {
    venues,
    post,
    /** Sends an action, which is done. */
    act,
    move: (venue: string, market: string, step: object) => act({ act: 'move', venue, market, step }),
    overview: async () => JSON.parse(await (await fetch(venues.controlUrl)).text()),
    pass: (ms: number) => {
      time += ms;
    },
    sources: (timeoutMs: number) => ({
      kalshi: createKalshiEventSource({
        fetch,
        timeoutMs,
        baseUrl: venues.kalshiUrl,
        index: { search: async () => ({ tickers: kalshiEvents.map(({ ticker }) => ticker), total: 7 }) },
        kept: createKalshiKept(now),
      }),
      polymarket: createGammaEventSource({
        fetch,
        timeoutMs,
        baseUrl: venues.gammaUrl,
        dataUrl: venues.dataUrl,
        clobUrl: venues.clobUrl,
        now,
      }),
    }),
  };
}
