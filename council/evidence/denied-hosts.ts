import file from './denied-hosts.json' with { type: 'json' };

// Change the lists only together with `evidenceRules`.

/**
 * For the vendors' own block lists, which take at most 100 hosts: what a search is likeliest to meet comes first. A
 * vendor with a shorter list takes the first ones.
 */
export const blockedHosts: readonly string[] = file.blockedHosts;

/**
 * Where prices of events are published: prediction and forecasting platforms, bookmakers, betting exchanges,
 * comparisons of odds, and tools that show what a market implies. A host stands for itself and its subdomains.
 */
export const deniedHosts: readonly string[] = [...blockedHosts, ...file.furtherHosts];

/** Labels of host names that are denied under every domain, such as `betfair.it` and `polymarket.substack.com`. */
export const deniedLabels: readonly string[] = file.deniedLabels;

/** Segments of a path below which news sites keep what bookmakers and markets say. */
export const deniedSegments: readonly string[] = file.deniedSegments;

/** Hosts behind which any page can stand, without its name in the address. */
export const opaqueHosts: readonly string[] = file.opaqueHosts;

/** Redirects of vendors whose titles name the site that they lead to. */
export const titledRedirectHosts: readonly string[] = file.titledRedirectHosts;
