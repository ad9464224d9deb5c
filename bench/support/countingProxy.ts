import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy on loopback that counts the bytes between a client and a server. */
export class CountingProxy implements Disposable {
  /** Bytes in both directions. */
  bytes = 0;
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((client) => this.forward(client));

  private constructor(private readonly target: URL) {}

  static async start(url: string): Promise<CountingProxy> {
    const proxy = new CountingProxy(new URL(url));
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  [Symbol.dispose](): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private forward(client: Socket): void {
    const server = connect(Number(this.target.port), this.target.hostname);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.sockets.add(from);
      from.on('data', (chunk) => (this.bytes += chunk.length));
      from.on('error', () => to.destroy());
      from.pipe(to);
    }
  }
}
