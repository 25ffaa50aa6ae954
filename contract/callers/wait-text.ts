const secondsPerMinute = 60;
const secondsPerHour = 3_600;

/** How long a person has to wait, rounded up: "in 40 seconds", "in 59 minutes", "in 3 hours". */
export function waitText(seconds: number): string {
  if (seconds < secondsPerMinute) return `in ${amountOf(seconds, 'second')}`;
  if (seconds <= 2 * secondsPerHour) return `in ${amountOf(Math.ceil(seconds / secondsPerMinute), 'minute')}`;
  return `in ${amountOf(Math.ceil(seconds / secondsPerHour), 'hour')}`;
}

function amountOf(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
