import { percentile } from '../bench/results/measurement.js';

/**
 * A discrete-event simulation of jobs that compete for stations. A station has some places and one queue, first come,
 * first served. All jobs take the same steps. The result depends on its arguments alone: the same seed gives the same bytes.
 */
export interface System {
  /** Places by the name of the station: one for a lock, as many as there are cores. */
  readonly stations: Readonly<Record<string, number>>;
  readonly steps: readonly Step[];
}

export type Step =
  | { readonly step: 'take' | 'give'; readonly station: string }
  | { readonly step: 'spend'; readonly ms: (random: Random) => number };

export type Random = () => number;

/** Closed: so many jobs at a time, each followed by the next one. Open: jobs arrive at random, however many are inside. */
export type Arrivals = { readonly atOnce: number } | { readonly perSecond: number };

export interface Simulated {
  readonly started: number;
  readonly ended: number;
  readonly inside: number;
  /** Of the jobs that were measured: all but the first tenth. */
  readonly perSecond: number;
  /** From the arrival of a job to its end, and the part of it in queues. */
  readonly meanMs: number;
  readonly meanQueueMs: number;
  readonly p99Ms: number;
  /** The jobs inside, averaged over time. */
  readonly meanInside: number;
  /** The share of the places of each station that was taken, averaged over time. */
  readonly taken: Readonly<Record<string, number>>;
}

export function simulate(system: System, arrivals: Arrivals, jobs: number, random: Random): Simulated {
  return new Simulation(system, arrivals, jobs, random).run();
}

interface Job {
  readonly arrivedMs: number;
  next: number;
  queuedSinceMs: number;
  queueMs: number;
}

interface Station {
  readonly places: number;
  free: number;
  readonly queue: Queue<Job>;
  /** The places that were taken, times the milliseconds for which they were. */
  takenMs: number;
}

class Simulation {
  private readonly system: System;
  private readonly arrivals: Arrivals;
  private readonly jobs: number;
  private readonly random: Random;
  private readonly stations: ReadonlyMap<string, Station>;
  private readonly events = new Timeline<Job | 'arrival'>();
  private readonly ends: { readonly ms: number; readonly queueMs: number; readonly atMs: number }[] = [];
  private nowMs = 0;
  private started = 0;
  private insideMs = 0;

  constructor(system: System, arrivals: Arrivals, jobs: number, random: Random) {
    this.system = system;
    this.arrivals = arrivals;
    this.jobs = jobs;
    this.random = random;
    this.stations = new Map(
      Object.entries(system.stations).map(([name, places]) => [
        name,
        { places, free: places, queue: new Queue<Job>(), takenMs: 0 },
      ]),
    );
  }

  run(): Simulated {
    const first = 'atOnce' in this.arrivals ? this.arrivals.atOnce : 1;
    for (let index = 0; index < first; index += 1) this.expectArrival();
    while (this.ends.length < this.jobs) {
      const event = this.events.pop();
      if (event === undefined) throw new Error('no job can go on: a station is never given back');
      this.moveTo(event.atMs);
      if (event.what === 'arrival') this.arrive();
      else this.goOn(event.what);
    }
    return this.result();
  }

  private moveTo(atMs: number): void {
    const passedMs = atMs - this.nowMs;
    for (const station of this.stations.values())
      station.takenMs += passedMs * (station.places - station.free);
    this.insideMs += passedMs * (this.started - this.ends.length);
    this.nowMs = atMs;
  }

  private expectArrival(): void {
    const afterMs = 'atOnce' in this.arrivals ? 0 : exponential(1_000 / this.arrivals.perSecond)(this.random);
    this.events.push(this.nowMs + afterMs, 'arrival');
  }

  private arrive(): void {
    this.started += 1;
    if ('perSecond' in this.arrivals) this.expectArrival();
    this.goOn({ arrivedMs: this.nowMs, next: 0, queuedSinceMs: 0, queueMs: 0 });
  }

  /** Takes the steps of a job up to one that needs time, or a place that is not free. */
  private goOn(job: Job): void {
    for (;;) {
      const step = this.system.steps[job.next];
      if (step === undefined) return this.end(job);
      job.next += 1;
      if (step.step === 'spend') return this.events.push(this.nowMs + step.ms(this.random), job);
      const station = this.stationOf(step.station);
      if (step.step === 'give') this.give(station);
      else if (station.free > 0) station.free -= 1;
      else {
        job.queuedSinceMs = this.nowMs;
        return station.queue.push(job);
      }
    }
  }

  /** The place goes to the job that has waited longest, which goes on in an event of its own. */
  private give(station: Station): void {
    const waiting = station.queue.shift();
    if (waiting === undefined) {
      station.free += 1;
      return;
    }
    waiting.queueMs += this.nowMs - waiting.queuedSinceMs;
    this.events.push(this.nowMs, waiting);
  }

  private end({ arrivedMs, queueMs }: Job): void {
    this.ends.push({ ms: this.nowMs - arrivedMs, queueMs, atMs: this.nowMs });
    if ('atOnce' in this.arrivals) this.expectArrival();
  }

  private stationOf(name: string): Station {
    const station = this.stations.get(name);
    if (station === undefined) throw new Error(`the system has no station ${name}`);
    return station;
  }

  private result(): Simulated {
    const coldJobs = Math.floor(this.jobs / 10);
    const measured = this.ends.slice(coldJobs);
    const fromMs = this.ends[coldJobs - 1]?.atMs ?? 0;
    const meanOf = (figure: (end: { ms: number; queueMs: number }) => number) =>
      measured.reduce((sum, end) => sum + figure(end), 0) / measured.length;
    return {
      started: this.started,
      ended: this.ends.length,
      inside: this.started - this.ends.length,
      perSecond: (1_000 * measured.length) / (this.nowMs - fromMs),
      meanMs: meanOf(({ ms }) => ms),
      meanQueueMs: meanOf(({ queueMs }) => queueMs),
      p99Ms: percentile(
        measured.map(({ ms }) => ms),
        0.99,
      ),
      meanInside: this.insideMs / this.nowMs,
      taken: Object.fromEntries(
        [...this.stations].map(([name, { takenMs, places }]) => [name, takenMs / places / this.nowMs]),
      ),
    };
  }
}

/** Times that are exponentially distributed, such as those between arrivals that do not depend on each other. */
export function exponential(meanMs: number): (random: Random) => number {
  return random => -meanMs * Math.log(1 - random());
}

/** First in, first out. Removing from the front of an array would move all others. */
class Queue<Item> {
  private items: Item[] = [];
  private first = 0;

  push(item: Item): void {
    this.items.push(item);
  }

  shift(): Item | undefined {
    const item = this.items[this.first];
    if (item === undefined) return undefined;
    this.first += 1;
    if (this.first * 2 > this.items.length) {
      this.items = this.items.slice(this.first);
      this.first = 0;
    }
    return item;
  }
}

interface Event<What> {
  readonly atMs: number;
  /** Events at one moment happen in the order in which they were added. */
  readonly order: number;
  readonly what: What;
}

/** A binary heap: the earliest event is at its top. */
class Timeline<What> {
  private readonly heap: Event<What>[] = [];
  private added = 0;

  push(atMs: number, what: What): void {
    const event = { atMs, order: this.added++, what };
    let index = this.heap.length;
    for (let above = this.heap[(index - 1) >> 1]; index > 0 && above !== undefined; ) {
      if (!isBefore(event, above)) break;
      this.heap[index] = above;
      index = (index - 1) >> 1;
      above = this.heap[(index - 1) >> 1];
    }
    this.heap[index] = event;
  }

  pop(): Event<What> | undefined {
    const [top] = this.heap;
    const last = this.heap.pop();
    if (last === undefined || top === undefined || this.heap.length === 0) return top;
    let index = 0;
    for (;;) {
      const below = this.earlierOf(2 * index + 1);
      const event = this.heap[below];
      if (event === undefined || isBefore(last, event)) break;
      this.heap[index] = event;
      index = below;
    }
    this.heap[index] = last;
    return top;
  }

  private earlierOf(left: number): number {
    const [a, b] = [this.heap[left], this.heap[left + 1]];
    return a !== undefined && b !== undefined && isBefore(b, a) ? left + 1 : left;
  }
}

function isBefore(a: Event<unknown>, b: Event<unknown>): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}
