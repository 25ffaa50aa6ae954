import { Link } from './link.js';

const destinations = ['postgres', 'temporal', 'models', 'market'] as const;
export type Destination = (typeof destinations)[number];

/** A separate link from every process to each of its servers. */
export class Network {
  private readonly links = new Map<string, Link>();

  static async lay(
    names: readonly string[],
    ports: Readonly<Record<Destination, () => number>>,
  ): Promise<Network> {
    const network = new Network();
    for (const name of names) {
      for (const destination of destinations) {
        const link = `${name} → ${destination}`;
        network.links.set(link, await Link.lay(link, ports[destination]));
      }
    }
    return network;
  }

  link(name: string, destination: Destination): Link {
    const link = this.links.get(`${name} → ${destination}`);
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
