import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A network link to a server that can be cut and healed. */
export class Link implements AsyncDisposable {
  private readonly sockets = new Set<Socket>();
  private isCut = false;

  private constructor(private readonly server: Server) {}

  static async to(host: string, port: number): Promise<Link> {
    const server = createServer((near) => {
      if (link.isCut) {
        near.destroy();
        return;
      }
      const far = connect(port, host);
      for (const socket of [near, far]) {
        link.sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => {
          near.destroy();
          far.destroy();
          link.sockets.delete(socket);
        });
      }
      near.pipe(far);
      far.pipe(near);
    });
    const link = new Link(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return link;
  }

  /** Opens a link to the server of a URL. */
  static async toUrl(url: string): Promise<Link> {
    const { hostname, port } = new URL(url);
    return Link.to(hostname, Number(port));
  }

  /** Returns a URL with the address of this link instead of the server's. */
  rewrite(url: string): string {
    const rewritten = new URL(url);
    rewritten.host = `127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
    return rewritten.href;
  }

  /** Closes all connections, and rejects new ones until the link is healed. */
  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  heal(): void {
    this.isCut = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.server.close();
    await once(this.server, 'close');
  }
}
