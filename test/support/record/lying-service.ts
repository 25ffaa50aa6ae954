import { createServer } from 'node:http';
import { closeServer, listen } from '../listen.js';

/** A service that sends other JSON than it has stored. */
export async function lyingService(url: string, change: (path: string, body: any) => void) {
  const answer = async (asked: string) => {
    const sent = await fetch(url + asked);
    const body: any = await sent.json();
    change(asked.split('?')[0] ?? '', body);
    return { status: body.status === 'completed' ? 200 : sent.status, json: JSON.stringify(body) };
  };
  const server = createServer(({ url: asked = '' }, response) => {
    void answer(asked).then(({ status, json }) => response.writeHead(status).end(json));
  });
  return { url: `http://127.0.0.1:${await listen(server)}`, close: () => void closeServer(server) };
}
