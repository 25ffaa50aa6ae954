import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** A name server on 127.0.0.1. */
export interface NameServer {
  /** As {@link resolveByDns} takes it. */
  readonly address: string;
  /** The names whose IPv4 addresses it was asked for, in order. */
  readonly asked: readonly string[];
  readonly close: () => void;
}

/**
 * Starts one that knows IPv4 addresses only.
 * @param answers the addresses of a name at the n-th question for it, from 0; null leaves the question unanswered
 */
export async function startNameServer(
  answers: (name: string, times: number) => readonly string[] | null,
): Promise<NameServer> {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = questionOf(query);
    const times = asked.filter(each => each === name).length;
    if (type === typeA) asked.push(name);
    const found = type === typeA ? answers(name, times) : [];
    if (found !== null) socket.send(reply(query.subarray(0, end), found), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { address: `127.0.0.1:${socket.address().port}`, asked, close: () => socket.close() };
}

const headerBytes = 12;
const typeA = 1;

function questionOf(query: Buffer): { readonly name: string; readonly type: number; readonly end: number } {
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** The question with a header of an answer, and a record for each address, none of which may be cached. */
function reply(question: Buffer, addresses: readonly string[]): Buffer {
  const answer = Buffer.from(question);
  answer.writeUInt16BE(0x8180, 2);
  answer.writeUInt16BE(addresses.length, 6);
  answer.writeUInt32BE(0, 8);
  const records = addresses.map(address =>
    Buffer.from([0xc0, headerBytes, 0, typeA, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  );
  return Buffer.concat([answer, ...records]);
}
