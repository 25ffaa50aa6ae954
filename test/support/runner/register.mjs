import { register } from 'node:module';

/** Loaded before any test (`NODE_OPTIONS` of `npm test`). */
register('./module-hooks.mjs', import.meta.url);

/**
 * The runner sends its settings to all its processes as soon as the first one asks. One that receives them before it asks
 * does not listen yet, and the run would never end: they are kept, and given to it when it asks.
 */
if (process.env.TINYPOOL_WORKER_ID !== undefined && process.send !== undefined) {
  const send = process.send.bind(process);
  let settings;
  // Listens when the runner does: Node.js keeps messages for the first listener, and the runner needs them all.
  process.on('newListener', function keepSettings(event) {
    if (event !== 'message') return;
    process.off('newListener', keepSettings);
    process.on('message', message => {
      if (message?.type === 'jest-light-runner-worker-data') settings = message;
    });
  });
  process.send = (message, ...rest) => {
    const isAnswered = message === 'jest-light-runner-get-worker-data' && settings !== undefined;
    return isAnswered ? process.emit('message', settings) : send(message, ...rest);
  };
}
