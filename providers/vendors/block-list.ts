/** What a vendor answered to a search, and what it did with the list of blocked hosts. */
export interface VendorSearch<Body> {
  readonly body: Body;
  /** The hosts in the request that was answered. */
  readonly hosts: readonly string[];
  readonly blockList: 'sent' | 'refused';
}

/**
 * Sends a search with a list of blocked hosts, and once more without it if the vendor refuses the list. The same field
 * works with one model and is unknown to another. A search without the list is better than none: the council removes
 * these hosts itself, whatever the vendor did.
 *
 * @param refuses whether the error of a request means that the vendor does not accept the list
 */
export async function sendWithBlockList<Body>(
  hosts: readonly string[],
  send: (hosts: readonly string[]) => Promise<Body>,
  refuses: (error: unknown) => boolean,
): Promise<VendorSearch<Body>> {
  try {
    return { body: await send(hosts), hosts, blockList: 'sent' };
  } catch (error) {
    if (hosts.length === 0 || !refuses(error)) throw error;
    return { body: await send([]), hosts: [], blockList: 'refused' };
  }
}

/**
 * Whether a vendor rejected a request because of the list: the error names its field, or `filters`, which holds nothing
 * else. The text is only searched, never passed on.
 *
 * @param body the error as the vendor sent it
 */
export function namesBlockList(status: number | null | undefined, body: unknown): boolean {
  // xAI answers a field of the wrong form with 422.
  if (status !== 400 && status !== 422) return false;
  return /\b(?:blocked|excluded)_domains\b|\btools\S*\.filters\b/.test(JSON.stringify(body) ?? '');
}
