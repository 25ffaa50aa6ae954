/** A time to the minute: `2031-04-01 08:09 UTC`. @param timestamp ISO 8601, UTC */
export function minuteOf(timestamp: string): string {
  return `${timestamp.slice(0, 'YYYY-MM-DD'.length)} ${timestamp.slice('YYYY-MM-DDT'.length, 'YYYY-MM-DDThh:mm'.length)} UTC`;
}

/** The time from one minute to another: `30 days, 3 hours and 51 minutes left`, or `… ago`. Both ISO 8601, UTC. */
export function timeLeft(asOf: string, until: string): string {
  const minutes = minuteNumber(until) - minuteNumber(asOf);
  return minutes < 0 ? `${duration(-minutes)} ago` : `${duration(minutes)} left`;
}

/** The time since a question opened: `41 days and 2 hours`. Null in its first minute, before it, and if that is unknown. */
export function timeOpen(asOf: string, openedAt: string | undefined): string | null {
  const minutes = openedAt === undefined ? 0 : minuteNumber(asOf) - minuteNumber(openedAt);
  return minutes < 1 ? null : duration(minutes);
}

/** Full minutes, so that the difference is that of the times as they are written. */
function minuteNumber(timestamp: string): number {
  return Math.floor(Date.parse(timestamp) / 60_000);
}

function duration(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const parts = [
    counted(Math.floor(hours / 24), 'day'),
    counted(hours % 24, 'hour'),
    counted(minutes % 60, 'minute'),
  ].filter(part => part !== '');
  const last = parts.at(-1);
  if (last === undefined) return '0 minutes';
  return parts.length === 1 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
}

function counted(count: number, unit: string): string {
  if (count === 0) return '';
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
