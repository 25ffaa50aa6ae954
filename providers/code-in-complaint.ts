/**
 * The error code hidden in a vendor's words, for the errors that carry no code of their own: xAI answers a bad key
 * with 400, spent credits with 403 or 429 and a safety check with 403, all as bare text; Anthropic calls a spent
 * balance and a filtered output `invalid_request_error`. The words themselves go no further than this.
 *
 * @returns A code that `classify-http-failure` knows, or null.
 */
export function codeInComplaint(text: string): string | null {
  return complaints.find(([words]) => words.test(text))?.[1] ?? null;
}

const complaints: readonly (readonly [words: RegExp, code: string])[] = [
  [/incorrect api key|invalid api key/i, 'invalid_api_key'],
  [/all available credits|spending limit|any credits|credit balance|api usage limits/i, 'insufficient_quota'],
  [/violates usage guidelines|content filtering policy/i, 'content_filter'],
];
