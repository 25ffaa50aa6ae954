import { isDeepStrictEqual } from 'node:util';
import { PaymentsUnavailable } from '../payments/payments-unavailable.js';

const roundsMax = 5;

/**
 * Writes what is read elsewhere, and reads again, until what was written last is still so. Two of these at once cannot
 * leave an old reading behind: whoever writes last has seen afterwards that it is true.
 * @throws PaymentsUnavailable when it does not stand still.
 */
export async function untilSettled<Reading>(
  read: () => Promise<Reading>,
  write: (reading: Reading) => Promise<void>,
): Promise<void> {
  let reading = await read();
  for (let round = 0; round < roundsMax; round += 1) {
    await write(reading);
    const after = await read();
    if (isDeepStrictEqual(after, reading)) return;
    reading = after;
  }
  throw new PaymentsUnavailable('what was read keeps changing', { retryable: true });
}
