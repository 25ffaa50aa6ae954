import { Link } from './link.js';

export const destinations = ['postgres', 'temporal', 'models', 'market'] as const;
export type Destination = (typeof destinations)[number];

/** A separate link from every process to each of its servers. */
export class Network {
  private readonly links: ReadonlyMap<string, Link>;

  private constructor(links: ReadonlyMap<string, Link>) {
    this.links = links;
  }

  static async lay(
    names: readonly string[],
    ports: Readonly<Record<Destination, () => number>>,
  ): Promise<Network> {
    const links = new Map<string, Link>();
    for (const name of names) {
      for (const destination of destinations) {
        const link = nameOf(name, destination);
        links.set(link, await Link.lay(link, ports[destination]));
      }
    }
    return new Network(links);
  }

  link(name: string, destination: Destination): Link {
    const link = this.links.get(nameOf(name, destination));
    if (link === undefined) throw new Error(`there is no link from ${name} to ${destination}`);
    return link;
  }

  address(name: string, destination: Destination): string {
    return `127.0.0.1:${this.link(name, destination).port}`;
  }

  calm(): void {
    for (const link of this.links.values()) link.become({ kind: 'calm' });
  }

  async close(): Promise<void> {
    await Promise.all([...this.links.values()].map(link => link.close()));
  }
}

function nameOf(name: string, destination: Destination): string {
  return `${name} → ${destination}`;
}
