/** Shown while something is on its way; said aloud only once. */
export function Loading({ what }: { readonly what: string }) {
  return (
    <p className="muted" role="status">
      Loading {what} …
    </p>
  );
}
