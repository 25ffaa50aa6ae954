/** An event of a stream of server-sent events, as the HTML standard defines them. */
export interface ServerSentEvent {
  /** The last `id` of the stream so far; empty without one. */
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

interface StreamOptions {
  /** Called with the pause that the server asks for before the next connection. */
  readonly onRetry: (ms: number) => void;
  /** A stream without a byte for this long is given up: its connection may be gone without a word. */
  readonly silenceMaxMs: number;
}

/**
 * Reads the events of a body until it ends.
 * @throws Error if the body breaks off or falls silent
 */
export async function* readServerSentEvents(
  body: ReadableStream<Uint8Array>,
  { onRetry, silenceMaxMs }: StreamOptions,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let id = '';
  let event = '';
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await withinSilence(reader.read(), silenceMaxMs);
      if (done) return;
      // A line can end with a pair of characters, of which only the first has arrived.
      const lines = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const [field, text] = fieldOf(line);
        if (field === 'id') id = text;
        if (field === 'event') event = text;
        if (field === 'data') data.push(text);
        if (field === 'retry' && /^\d+$/.test(text)) onRetry(Number(text));
        if (line !== '') continue;
        if (data.length > 0) yield { id, event: event || 'message', data: data.join('\n') };
        event = '';
        data = [];
      }
    }
  } finally {
    // A stream that has ended or failed has nothing to cancel.
    await reader.cancel().catch(() => undefined);
  }
}

/** A comment has an empty field name. */
function fieldOf(line: string): readonly [field: string, text: string] {
  const colon = line.indexOf(':');
  if (colon === -1) return [line, ''];
  return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
}

function withinSilence<Result>(reading: Promise<Result>, ms: number): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`Nothing was sent for ${ms / 1_000} s.`)), ms);
    reading.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
