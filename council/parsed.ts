/** A model's answer read: usable, or what is wrong with it in our own short words, fit for a repair prompt. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly string[] };
