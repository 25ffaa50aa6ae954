/**
 * A `fetch` for a vendor's SDK that sends the given headers and none of the SDK's own.
 *
 * The SDKs add headers from environment variables (`OPENAI_CUSTOM_HEADERS`, `ANTHROPIC_CUSTOM_HEADERS` and, with each
 * version, others). Such a header could replace a caller's key, or send another credential beside it. No list of
 * variables or headers has to be complete, because nothing that the SDK has collected is sent.
 */
export function fetchWithHeaders(headers: Readonly<Record<string, string>>): typeof fetch {
  return (url, init) =>
    fetch(url, {
      ...init,
      headers: {
        accept: 'application/json',
        ...(init?.body ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      // `fetch` would forward a header with a key to the target of a redirect.
      redirect: 'manual',
    });
}
