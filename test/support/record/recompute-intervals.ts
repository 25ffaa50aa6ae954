/** Means over events and their intervals, as an independent reader would compute them. */

export function wilson(share: number, n: number) {
  const z = 1.959963984540054;
  const root = z * Math.sqrt((4 * n * share * (1 - share) + z * z) / (4 * n * n));
  const ends = [-1, 1].map(sign => (share + (z * z) / (2 * n) + sign * root) / (1 + (z * z) / n));
  return ends.map(end => Math.min(1, Math.max(0, end)));
}

export interface Measured {
  readonly event: string;
  readonly value: number;
  readonly width: number;
}

/** One number an event, in the order of their first reports: the mean of its values. */
export function votes(values: readonly { event: string; value: number }[]): number[] {
  const byEvent = new Map<string, number[]>();
  for (const { event, value } of values) byEvent.set(event, [...(byEvent.get(event) ?? []), value]);
  return [...byEvent.values()].map(mean);
}

export function clustered(measured: readonly Measured[], { slices, rho }: { slices: number; rho: number }) {
  const values = votes(measured);
  const widths = votes(measured.map(({ event, width }) => ({ event, value: width })));
  return {
    ...described(measured),
    confidence_sequence_95: sequence(values, widths, 0.05 / slices, rho),
  };
}

export function described(measured: readonly Omit<Measured, 'width'>[]) {
  const values = votes(measured);
  return {
    n: measured.length,
    events: values.length,
    mean: meanOrNull(values),
    interval_95: drawn(values),
  };
}

/** Robbins' normal mixture, on the larger of what the outcomes could vary and what they did. */
function sequence(values: number[], widths: number[], alpha: number, rho: number) {
  if (values.length === 0) return null;
  const middle = mean(values);
  const could = sum(widths.map(width => (width / 2) ** 2));
  const did = sum(values.map(value => (value - middle) ** 2));
  const v = Math.max(could, did);
  const radius = Math.sqrt((v + rho) * (Math.log((v + rho) / rho) + 2 * Math.log(1 / alpha)));
  return [middle - radius / values.length, middle + radius / values.length];
}

/** Events are drawn by mulberry32, 2,000 times as many as there are; more than 997 events in 997 groups. */
function drawn(values: number[]) {
  const next = mulberry32(fnv1a('council/bootstrap'));
  const groups = Array.from({ length: Math.min(997, values.length) }, (_, group) => {
    const members = values.filter((__, place) => place % 997 === group);
    return { total: sum(members), count: members.length };
  });
  const means = Array.from({ length: values.length < 2 ? 0 : 2_000 }, () => {
    let [total, count] = [0, 0];
    for (let draw = 0; draw < groups.length; draw += 1) {
      const picked = groups[Math.floor(next() * groups.length)];
      total += picked?.total ?? 0;
      count += picked?.count ?? 0;
    }
    return total / count;
  }).sort((a, b) => a - b);
  return means.length === 0 ? null : [means[49], means[1_950]];
}

function mulberry32(seed: number): () => number {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function fnv1a(text: string): number {
  return text
    .split('')
    .reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 16777619) >>> 0, 2166136261);
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

export function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

export function meanOrNull(values: readonly number[]): number | null {
  return values.length === 0 ? null : mean(values);
}
