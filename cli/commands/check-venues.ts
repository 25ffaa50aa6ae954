import type { Command } from 'commander';
import { MarketUnavailable } from '../../markets/event-source.js';
import { isBroken, type VenueProbe } from '../../markets/probe/probe-venue.js';
import type { Settings } from '../../platform/settings/settings.js';
import type { CommandContext } from '../command-context.js';
import { describeChange, describeCompared, probe, probedVenues } from '../doctor/check-venues.js';
import { examples } from '../terminal/command-line.js';
import type { Output } from '../terminal/output.js';

/** Adds the commands of this file to their group. */
export function register(group: Command, context: CommandContext): void {
  group
    .command('check')
    .description(
      'Reads a few open events of each configured venue, and compares their fields with those that are parsed here: missing ones, other types, new ones. Exits with 1 if a venue cannot be read, or a field that is read has changed.',
    )
    .summary('compare live answers with what is parsed of them')
    .addHelpText('after', examples('venues check', 'venues check --json'))
    .action(async () => {
      if (!(await checkVenues(context.settings(), context.output))) context.markFailed();
    });
}

/** @returns false if a venue cannot be read, or a field that is read has changed */
async function checkVenues(settings: Settings, output: Output): Promise<boolean> {
  const venues = probedVenues(settings);
  const probes = await Promise.all(
    venues.map(venue =>
      probe(venue, settings).catch((error: unknown) => {
        if (error instanceof MarketUnavailable) return { venue, unavailable: error.message };
        throw error;
      }),
    ),
  );
  const good = probes.every(probed => !('unavailable' in probed) && !isBroken(probed));
  const text = probes.flatMap(probed =>
    'unavailable' in probed ? [`${probed.venue}: ${probed.unavailable}`] : linesOf(probed),
  );
  output.result(
    { ok: good, venues: probes },
    text.join('\n') || 'Only the sample events are configured: there is no venue to ask.',
  );
  return good;
}

function linesOf(probed: VenueProbe): readonly string[] {
  const { changes } = probed;
  const head = `${describeCompared(probed)}; ${changes.length} changes`;
  return [head, ...changes.map(change => `  ${describeChange(change)}`)];
}
