import type { MarketEvent, Resolution } from '../../../council/event.js';
import { type EventSource, MarketUnavailable } from '../../../markets/event-source.js';
import { event, market } from '../../council/fixtures.js';

/** A market that says of its events what a test tells it to: each has the one market `m-Rain`, or is given whole. */
export class ToldMarkets implements EventSource {
  /** `away`: it cannot be read just now. */
  readonly says = new Map<string, Resolution | MarketEvent | 'away'>();
  private answers: Promise<void> = Promise.resolve();

  /** From now on whoever asks waits, until told otherwise by what this returns. */
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

  async get(eventId: string): Promise<MarketEvent | null> {
    await this.answers;
    const said = this.says.get(eventId);
    if (said === undefined) return null;
    if (said === 'away') throw new MarketUnavailable('away');
    if (typeof said !== 'string') return { ...said, eventId };
    const status = said === 'unresolved' ? 'open' : 'closed';
    return event([market({ name: 'Rain', marketId: 'm-Rain', status, resolution: said })], {
      eventId,
      status,
    });
  }
}
