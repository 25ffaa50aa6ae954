import type { MarketEvent, Resolution } from '../../../council/event.js';
import type { EventEnding } from '../../../council/market/final-word.js';
import { type EventSource, MarketUnavailable } from '../../../markets/event-source.js';
import { wordsOf } from '../../../markets/sample/sample-words.js';
import { event, market } from '../../council/fixtures.js';

/** An event source whose events a test sets: each has the one market `m-Rain`, or is given completely. */
export class ControlledMarkets implements EventSource {
  /** `unavailable`: it cannot be read. */
  readonly responses = new Map<string, Resolution | MarketEvent | 'unavailable'>();
  private answers: Promise<void> = Promise.resolve();

  /** Holds all reads from now on. @returns a function that releases them. */
  close(): () => void {
    let answer = () => {};
    this.answers = new Promise(resolve => {
      answer = resolve;
    });
    return () => answer();
  }

  open(): void {
    this.answers = Promise.resolve();
  }

  async search() {
    return { events: [], total: 0 };
  }

  async readPrices() {
    return null;
  }

  async readEnding(eventId: string): Promise<EventEnding | null> {
    const found = await this.get(eventId);
    return found === null ? null : { event: found, words: wordsOf(found, 'sample') };
  }

  async get(eventId: string): Promise<MarketEvent | null> {
    await this.answers;
    const response = this.responses.get(eventId);
    if (response === undefined) return null;
    if (response === 'unavailable') throw new MarketUnavailable('unavailable');
    if (typeof response !== 'string') return { ...response, eventId };
    const status = response === 'unresolved' ? 'open' : 'closed';
    return event([market({ name: 'Rain', marketId: 'm-Rain', status, resolution: response })], {
      eventId,
      status,
    });
  }
}
