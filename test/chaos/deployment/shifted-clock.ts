import { readFileSync, watchFile } from 'node:fs';

/**
 * Loaded into a process before its own code: shifts its clock by the milliseconds that a file holds, also while
 * it runs. Timers and monotonic clocks are unaffected, as when an administrator sets a machine's clock. Reaches
 * JavaScript only: Temporal's native library keeps the machine's clock.
 */
const lookEveryMs = 200;
const file = process.env['CLOCK_SHIFT_FILE'];
let shiftMs = 0;

if (file !== undefined) {
  read(file);
  watchFile(file, { interval: lookEveryMs, persistent: false }, () => read(file));
  const machineNow = Date.now.bind(Date);
  const now = () => machineNow() + shiftMs;
  Date.now = now;
  globalThis.Date = new Proxy(Date, {
    construct: (date, args, newTarget) =>
      Reflect.construct(date, args.length === 0 ? [now()] : args, newTarget),
    apply: date => new date(now()).toString(),
  });
}

function read(path: string): void {
  try {
    shiftMs = Number(readFileSync(path, 'utf8'));
  } catch {
    // No file: the clock is right.
    shiftMs = 0;
  }
}
