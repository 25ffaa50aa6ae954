/** An event of a stream, as its bytes say. */
export interface StreamedEvent {
  /** A number in the stream of a report, text in that of a batch. */
  readonly id: any;
  readonly event: string;
  /** Tests read any field of it. */
  readonly data: any;
}

export interface OpenStream {
  readonly status: number;
  readonly headers: Headers;
  readonly events: StreamedEvent[];
  /** All bytes so far. */
  text: string;
  /** Resolves when the server has ended the stream; rejects when it was cut. */
  readonly ended: Promise<void>;
  readonly leave: () => void;
}

/** Opens an event stream and collects what arrives, without the client package. */
export async function openStream(
  url: string,
  { key, after }: { readonly key: string; readonly after?: number | string },
): Promise<OpenStream> {
  const leaving = new AbortController();
  const response = await fetch(url, {
    signal: leaving.signal,
    headers: { 'x-api-key': key, ...(after === undefined ? {} : { 'last-event-id': String(after) }) },
  });
  const { status, headers } = response;
  const events: StreamedEvent[] = [];
  const stream: OpenStream = {
    status,
    headers,
    events,
    text: '',
    leave: () => leaving.abort(),
    ended: read(response, piece => {
      stream.text += piece;
      events.splice(0, events.length, ...eventsOf(stream.text));
    }),
  };
  stream.ended.catch(() => undefined);
  return stream;
}

async function read(response: Response, onText: (text: string) => void): Promise<void> {
  // Not before the stream exists.
  await Promise.resolve();
  const decoder = new TextDecoder();
  for await (const piece of response.body ?? []) onText(decoder.decode(piece, { stream: true }));
}

function eventsOf(text: string): StreamedEvent[] {
  const blocks = text.split('\n\n').slice(0, -1);
  return blocks.flatMap(block => {
    const fields = new Map(block.split('\n').map(line => line.split(/: ?(.*)/s, 2) as [string, string]));
    const [id, event, data] = ['id', 'event', 'data'].map(name => fields.get(name));
    if (id === undefined || event === undefined || data === undefined) return [];
    return [{ id: /^\d+$/.test(id) ? Number(id) : id, event, data: JSON.parse(data) }];
  });
}
