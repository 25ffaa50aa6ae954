import { useState } from 'react';
import { newKey } from '../../client/send-under-key.js';
import { CouncilProblem } from '../api/api.js';

/** Keys for the purchases of one form, as long as it is shown. */
export function useIdempotencyKeys(): IdempotencyKeys {
  const [keys] = useState(() => idempotencyKeys(newKey));
  return keys;
}

/**
 * Gives equal requests the same `Idempotency-Key` until one is answered, so that pressing the button again
 * after a lost response does not charge twice.
 */
interface IdempotencyKeys {
  keyFor(request: object): string;
  /** The request was answered; the next one is a new purchase. */
  clear(): void;
}

export function idempotencyKeys(makeKey: () => string): IdempotencyKeys {
  let current: { readonly request: string; readonly key: string } | null = null;
  return {
    keyFor: request => {
      const text = JSON.stringify(request);
      if (current?.request !== text) current = { request: text, key: makeKey() };
      return current.key;
    },
    clear: () => {
      current = null;
    },
  };
}

/** Whether the API rejected the request. After any other error the purchase may have succeeded. */
export function isFinal(error: unknown): boolean {
  if (!(error instanceof CouncilProblem) || error.document === null) return false;
  return error.document.status < 500 || error.code === 'house_limit_reached';
}
