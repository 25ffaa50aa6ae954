import { setTimeout as pause } from 'node:timers/promises';

/** What the lanes obey. */
export interface Traffic {
  /** Nothing more is begun. */
  isOver(): boolean;
  /** How many lanes may work at present; at least one. */
  lanes(): number;
  /** Milliseconds to wait before the next item. */
  waitMs(): number;
}

/**
 * Works on queues side by side, one lane a queue, so that the items of one queue never overlap. Ends when the queues
 * are empty or the traffic is over. If an item throws, the other lanes finish their present item first.
 */
export async function inLanes<Item>(
  queues: readonly (readonly Item[])[],
  traffic: Traffic,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...queues];
  let failed = false;
  const lane = async (index: number) => {
    while (index < traffic.lanes()) {
      const queue = waiting.shift();
      if (queue === undefined) return;
      for (const item of queue) {
        const waitMs = traffic.waitMs();
        if (waitMs > 0) await pause(waitMs);
        if (failed || traffic.isOver()) return;
        await work(item);
      }
    }
  };
  const ended = await Promise.allSettled(
    Array.from({ length: traffic.lanes() }, (_, index) =>
      lane(index).catch((error: unknown) => {
        failed = true;
        throw error;
      }),
    ),
  );
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
}
