/**
 * One `Idempotency-Key` for one wish, however often it has to be sent: whoever presses again because no answer came must not
 * be charged twice. Another wish, or one that was answered, has another key.
 */
export interface WishKeys {
  of(wish: object): string;
  /** The wish was answered. */
  forget(): void;
}

export function wishKeys(newKey: () => string): WishKeys {
  let current: { readonly wish: string; readonly key: string } | null = null;
  return {
    of: wish => {
      const text = JSON.stringify(wish);
      if (current?.wish !== text) current = { wish: text, key: newKey() };
      return current.key;
    },
    forget: () => {
      current = null;
    },
  };
}
