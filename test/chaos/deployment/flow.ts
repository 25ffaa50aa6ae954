import type { Socket } from 'node:net';

/** `held`: until flushed. `lost`: never delivered. */
export type Delay = number | 'held' | 'lost';

const heldMax = 256;

/** One direction of a connection. Forwards data in order, after a delay. */
export class Flow {
  private readonly from: Socket;
  private readonly to: Socket;
  private readonly delay: () => Delay;
  /** Null marks the end of the stream. */
  private readonly waiting: { due: number; bytes: Buffer | null }[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(from: Socket, to: Socket, delay: () => Delay) {
    this.from = from;
    this.to = to;
    this.delay = delay;
    from.on('data', bytes => this.take(Buffer.from(bytes)));
    from.on('end', () => this.take(null));
    to.on('drain', () => from.resume());
    to.once('close', () => clearTimeout(this.timer));
  }

  /** Forwards everything that is due. */
  flush(): void {
    clearTimeout(this.timer);
    const delay = this.delay();
    if (delay === 'held') return;
    if (delay === 'lost') {
      this.waiting.length = 0;
      // Unread data would hide that the other side has closed the connection.
      this.from.resume();
      return;
    }
    for (let head = this.waiting[0]; head !== undefined; head = this.waiting[0]) {
      const inMs = head.due - Date.now();
      if (inMs > 0) {
        this.timer = setTimeout(() => this.flush(), inMs);
        return;
      }
      this.waiting.shift();
      this.pass(head.bytes);
    }
    if (!this.to.writableNeedDrain) this.from.resume();
  }

  private take(bytes: Buffer | null): void {
    const delay = this.delay();
    if (delay === 'lost') return;
    this.waiting.push({ due: Date.now() + (delay === 'held' ? 0 : delay), bytes });
    if (this.waiting.length > heldMax) this.from.pause();
    this.flush();
  }

  private pass(bytes: Buffer | null): void {
    if (this.to.destroyed || this.to.writableEnded) return;
    if (bytes === null) this.to.end();
    else if (!this.to.write(bytes)) this.from.pause();
  }
}
