import type { Socket } from 'node:net';
import { Channel, ChannelCredentials, type ChannelInterface, type ChannelOptions } from '@grpc/grpc-js';

/** Far longer than the few round trips of TLS and HTTP/2. */
const handshakeWithinMs = 5_000;

/**
 * Creates gRPC channels, for the option `channelFactoryOverride`, that close a connection whose handshake gets no
 * response; the channel then tries again. The library has no time-out for it: if a firewall or a load balancer accepts a
 * connection and then stays silent, every later call of the process fails until it is restarted.
 */
export function withHandshakeTimeout(withinMs = handshakeWithinMs) {
  return (address: string, credentials: ChannelCredentials, options: ChannelOptions): ChannelInterface =>
    new Channel(address, new TimedCredentials(credentials, withinMs), options);
}

/** The place in which the library hands out its sockets: before and after TLS, if there is any. */
class TimedCredentials extends ChannelCredentials {
  private readonly credentials: ChannelCredentials;
  private readonly withinMs: number;

  constructor(credentials: ChannelCredentials, withinMs: number) {
    super();
    this.credentials = credentials;
    this.withinMs = withinMs;
  }

  override _createSecureConnector(
    ...target: Parameters<ChannelCredentials['_createSecureConnector']>
  ): ReturnType<ChannelCredentials['_createSecureConnector']> {
    const connector = this.credentials._createSecureConnector(...target);
    return {
      connect: async socket => {
        closeIfSilent(socket, this.withinMs);
        const connected = await connector.connect(socket);
        closeIfSilent(connected.socket, this.withinMs);
        return connected;
      },
      waitForReady: () => connector.waitForReady(),
      getCallCredentials: () => connector.getCallCredentials(),
      destroy: () => connector.destroy(),
    };
  }

  override _isSecure(): boolean {
    return this.credentials._isSecure();
  }

  override _equals(other: ChannelCredentials): boolean {
    return other instanceof TimedCredentials && other.credentials._equals(this.credentials);
  }
}

/** The other side has to send its part of the next handshake. Counted in bytes, because HTTP/2 reads past the socket. */
function closeIfSilent(socket: Socket, withinMs: number): void {
  const before = socket.bytesRead;
  setTimeout(() => {
    if (socket.bytesRead === before) socket.destroy(new Error('The handshake got no response.'));
  }, withinMs).unref();
}
