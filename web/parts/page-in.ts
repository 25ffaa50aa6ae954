/** Which page of a list an address asks for; the first unless it says so sensibly. */
export function pageIn(search: URLSearchParams): number {
  const page = Number(search.get('page') ?? '1');
  return Number.isSafeInteger(page) && page > 0 && page <= pageMax ? page : 1;
}

/** As far as the API goes. */
const pageMax = 10_000;
