import { describe, expect, test } from '@jest/globals';
import { askVendor } from '../../../providers/vendors/ask-vendor.js';
import { classifyBrokenExchange } from '../../../providers/vendors/failures.js';
import { adapters, providersAt } from '../catalogue.js';
import { question } from '../questions.js';
import { useSimulator } from '../use-simulator.js';

const providers = providersAt((await useSimulator()).baseUrls);

describe.each(adapters)('%s', adapter => {
  test('leaves no listeners on a signal that is shared by many calls', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...args);
    };
    await providers[adapter].ask(question('opinion', { signal }));
    expect(listeners).toBe(0);
  });
});

describe('an SDK that ignores the signal', () => {
  const send = () => new Promise<never>(() => undefined);

  test('does not keep its call from ending at the time-out', async () => {
    const { signal } = new AbortController();
    const thrown = askVendor({ signal, timeoutMs: 10 }, send, classifyBrokenExchange);
    await expect(thrown).rejects.toMatchObject({ kind: 'timed_out' });
  });

  test('does not keep its call from being cancelled', async () => {
    const caller = new AbortController();
    const reason = new Error('the report was cancelled');
    const limits = { signal: caller.signal, timeoutMs: 600_000 };
    const thrown = askVendor(limits, send, classifyBrokenExchange);
    caller.abort(reason);
    await expect(thrown).rejects.toBe(reason);
  });
});
