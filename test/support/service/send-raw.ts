import { connect } from 'node:net';
import type { Answer } from './test-caller.js';

/** A TCP connection on which a test writes the bytes of its requests itself. */
export interface RawConnection {
  write(bytes: string): void;
  /** Leaves without closing properly, as a process that is killed. */
  reset(): void;
  /** Sends these bytes. @returns what the server sends until it closes the connection; at once, to `leave` then */
  exchange(bytes: Buffer, then?: 'leave'): Promise<string>;
  /** All answers, once the server has closed the connection. */
  answers(): Promise<readonly Answer[]>;
}

export function connectRaw(url: string): RawConnection {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const pieces: Buffer[] = [];
  socket.on('data', piece => pieces.push(piece));
  // A write after the server has closed the connection fails, which is not what is tested.
  socket.on('error', () => undefined);
  const closed = new Promise<void>(resolve => socket.once('close', () => resolve()));
  return {
    write: bytes => void socket.write(bytes),
    exchange: async (bytes, then) => {
      await new Promise<void>(resolve => socket.write(bytes, () => resolve()));
      if (then === 'leave') socket.resetAndDestroy();
      await closed;
      return Buffer.concat(pieces).toString();
    },
    reset: () => void socket.resetAndDestroy(),
    answers: async () => {
      await closed;
      return parseAnswers(Buffer.concat(pieces));
    },
  };
}

/** Sends these bytes. @returns the only answer, once the server has closed the connection */
export async function sendRaw(url: string, bytes: string): Promise<Answer> {
  const connection = connectRaw(url);
  connection.write(bytes);
  const [answer, ...more] = await connection.answers();
  if (answer === undefined || more.length > 0) throw new Error(`${more.length} answers more than one`);
  return answer;
}

/** The answers in what a server has sent on one connection. */
export function parseAnswers(bytes: Buffer): Answer[] {
  if (bytes.length === 0) return [];
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) throw new Error('the headers of an answer are incomplete');
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString().split('\r\n');
  const headers = new Headers(
    lines.map((line): [string, string] => [
      line.slice(0, line.indexOf(':')),
      line.slice(line.indexOf(':') + 1),
    ]),
  );
  const bodyEnd = end + 4 + Number(headers.get('content-length'));
  if (bytes.length < bodyEnd) throw new Error('the body of an answer is incomplete');
  const text = bytes.subarray(end + 4, bodyEnd).toString();
  const answer = {
    status: Number(statusLine.split(' ')[1]),
    headers,
    body: text === '' ? null : JSON.parse(text),
  };
  return [answer, ...parseAnswers(bytes.subarray(bodyEnd))];
}
