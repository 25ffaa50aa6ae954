import { MarketUnavailable } from '../../markets/event-source.js';
import type { ProbedVenue } from '../../markets/probe/compare-fields.js';
import { isBroken, type ObjectChange, probeVenue, type VenueProbe } from '../../markets/probe/probe-venue.js';
import type { Settings } from '../../platform/settings/settings.js';
import { commandLine } from '../terminal/command-line.js';
import type { DoctorContext } from './doctor-context.js';
import { ok, problem, type Result, warning } from './finding.js';

/** Whether the configured venues answer, and in the form that is parsed here. */
export async function checkVenues({ settings }: Pick<DoctorContext, 'settings'>): Promise<readonly Result[]> {
  const venues = probedVenues(settings);
  if (venues.length === 0) return [ok('sample events only: no venue is asked')];
  return Promise.all(venues.map(venue => checkVenue(venue, settings)));
}

/** The configured venues that are on the network. */
export function probedVenues({ MARKETS }: Settings): readonly ProbedVenue[] {
  return MARKETS.filter(venue => venue !== 'sample');
}

const probeTimeoutMs = 6_000;

/** @throws MarketUnavailable if the venue cannot be read */
export function probe(venue: ProbedVenue, settings: Settings): Promise<VenueProbe> {
  const { KALSHI_API_URL: kalshi } = settings;
  const addresses = {
    polymarket: {
      events: settings.POLYMARKET_GAMMA_URL,
      resolutions: settings.POLYMARKET_DATA_URL,
      prices: settings.POLYMARKET_CLOB_URL,
    },
    kalshi: { events: kalshi, resolutions: kalshi, prices: kalshi },
  };
  const http = { fetch: globalThis.fetch, timeoutMs: probeTimeoutMs, now: () => new Date() };
  return probeVenue(venue, addresses[venue], http);
}

async function checkVenue(venue: ProbedVenue, settings: Settings): Promise<Result> {
  try {
    return assess(await probe(venue, settings));
  } catch (error) {
    if (!(error instanceof MarketUnavailable)) throw error;
    return problem(
      `${venue}: ${error.message}`,
      'Its events cannot be searched or bought until it answers; nothing is charged for them.',
    );
  }
}

function assess(probed: VenueProbe): Result {
  const { changes } = probed;
  const compared = describeCompared(probed);
  if (isBroken(probed)) {
    return problem(
      `${compared}; ${changes.length} fields are not as they are read here`,
      `${commandLine('venues check')} names them.`,
    );
  }
  if (changes.length === 0) return ok(`${compared}; all fields are as they are read here`);
  return warning(
    `${compared}; ${changes.length} fields are new`,
    `${commandLine('venues check')} names them; nothing that is read here has changed.`,
  );
}

/** For example `kalshi: 5 events, 40 markets, 1 series, 0 resolutions and 7 prices compared`. */
export function describeCompared({
  venue,
  events,
  markets,
  series,
  resolutions,
  prices,
}: VenueProbe): string {
  return `${venue}: ${events} events, ${markets} markets, ${series} series, ${resolutions} resolutions and ${prices} prices compared`;
}

/** A change in words, for example `market yes_bid_dollars: number instead of string (in 3)`. */
export function describeChange({ object, field, kind, expected, found, count }: ObjectChange): string {
  const words = {
    missing: `missing; ${expected} expected`,
    type: `${found} instead of ${expected}`,
    unknown: `new, ${found}; not read`,
  };
  return `${object} ${field}: ${words[kind]} (in ${count})`;
}
