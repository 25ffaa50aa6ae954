/** Hosts that quote odds, for the vendors' own block lists; the most important first. */
export const blockedHosts: readonly string[] = [
  'polymarket.com',
  'kalshi.com',
  'manifold.markets',
  'metaculus.com',
  'oddschecker.com',
];
