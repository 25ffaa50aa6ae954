import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { ModelProvider } from '../../../providers/model-provider.js';
import { askVendor } from '../../../providers/vendors/ask-vendor.js';
import { classifyBrokenExchange } from '../../../providers/vendors/failures.js';
import { type Simulator, startSimulator } from '../../../simulator/simulator.js';
import { giveUpAfterMs, until } from '../../support/until.js';
import { type Adapter, adapters, memberBehind, providersAt } from '../catalogue.js';
import { failureOf } from '../failure-of.js';
import { question } from '../questions.js';

let simulator: Simulator;
let providers: Record<Adapter, ModelProvider>;

beforeAll(async () => {
  simulator = await startSimulator();
  providers = providersAt(simulator.baseUrls);
});
afterEach(() => simulator.clearFaults());
afterAll(() => simulator.close());

describe.each(adapters)('%s', adapter => {
  const member = memberBehind(adapter);

  test('ends a cancelled call with the caller’s reason and closes the connection', async () => {
    simulator.setFault({ model: member }, { kind: 'hang' });
    const before = simulator.calls.length;
    const caller = new AbortController();
    const reason = new Error('the report was cancelled');
    const answer = providers[adapter]
      .ask(question('opinion', { signal: caller.signal }))
      .catch(error => error);
    await until('the call reached the server', () => simulator.calls.length > before);
    caller.abort(reason);
    expect(await answer).toBe(reason);
    await until('the server saw the client go', () => simulator.calls[before]?.aborted === true);
    expect(simulator.calls.length - before).toBe(1);
  });

  test('sends no request if the call was cancelled before it started', async () => {
    const before = simulator.calls.length;
    const reason = new Error('too late');
    const signal = AbortSignal.abort(reason);
    const thrown = await providers[adapter].ask(question('opinion', { signal })).catch(error => error);
    expect(thrown).toBe(reason);
    expect(simulator.calls).toHaveLength(before);
  });

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

/** All at once, because each waits for the whole time-out. A simulator each tells their calls apart. */
test('a call whose timeout elapses is a dropout, not a cancellation, and closes the connection', async () => {
  await Promise.all(
    adapters.map(async adapter => {
      const own = await startSimulator();
      own.setFault({ model: memberBehind(adapter) }, { kind: 'hang' });
      const ask = providersAt(own.baseUrls)[adapter].ask(question('opinion', { timeoutMs: giveUpAfterMs }));
      const gaveUp = { kind: 'timed_out', retryable: true, retryAfterMs: null, status: null };
      expect(await failureOf(ask)).toMatchObject(gaveUp);
      await until('the server saw the client go', () => own.calls[0]?.aborted === true);
      expect(own.calls).toHaveLength(1);
      await own.close();
    }),
  );
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
