import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * A network link to a server that can be cut or become a black hole, healed, and redirected to another
 * server.
 */
export class Link implements AsyncDisposable {
  private readonly sockets = new Set<Socket>();
  private readonly pairs = new Set<SocketPair>();
  private isCut = false;
  private isBlackHole = false;

  private constructor(
    private readonly server: Server,
    private target: { host: string; port: number },
  ) {}

  /**
   * Opens a link to the server of a URL.
   * @param host address of this computer at which the link accepts connections.
   */
  static async toUrl(url: string, host = '127.0.0.1'): Promise<Link> {
    const server = createServer({ pauseOnConnect: true }, (near) => link.forward(near));
    const link = new Link(server, parseTarget(url));
    server.listen(0, host);
    await once(server, 'listening');
    return link;
  }

  /** Returns a URL with the address of this link instead of the server's. */
  rewrite(url: string): string {
    const rewritten = new URL(url);
    const { address, port } = this.server.address() as AddressInfo;
    rewritten.host = `${address}:${String(port)}`;
    return rewritten.href;
  }

  /** Closes all connections, and rejects new ones until the link is healed. */
  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  /**
   * Delivers nothing until the link is healed. Connections seem to be open at both ends: neither
   * notices that the other one closes them.
   */
  blackHole(): void {
    this.isBlackHole = true;
    this.stall();
  }

  /** Delivers nothing more on open connections, like a firewall that has lost their state. */
  stall(): void {
    for (const { near, far } of this.pairs) {
      near.unpipe(far).pause();
      far.unpipe(near).pause();
    }
  }

  /** Forwards again, including what was sent to a black hole, as TCP does. */
  heal(): void {
    this.isCut = false;
    if (!this.isBlackHole) return;
    this.isBlackHole = false;
    for (const pair of this.pairs) {
      if (pair.near.destroyed || pair.far.destroyed) closePair(pair);
      else join(pair);
    }
  }

  /** Closes all connections, and forwards later ones to the server of another URL. */
  redirect(url: string): void {
    this.target = parseTarget(url);
    for (const socket of this.sockets) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.server.close();
    await once(this.server, 'close');
  }

  private forward(near: Socket): void {
    if (this.isCut) {
      near.destroy();
      return;
    }
    const far = connect(this.target).pause();
    const pair = { near, far };
    this.pairs.add(pair);
    for (const socket of [near, far]) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.sockets.delete(socket);
        if (this.sockets.has(near) || this.sockets.has(far)) {
          if (!this.isBlackHole) closePair(pair);
        } else {
          this.pairs.delete(pair);
        }
      });
    }
    if (!this.isBlackHole) join(pair);
  }
}

interface SocketPair {
  readonly near: Socket;
  readonly far: Socket;
}

function join({ near, far }: SocketPair): void {
  near.pipe(far);
  far.pipe(near);
}

function closePair({ near, far }: SocketPair): void {
  near.destroy();
  far.destroy();
}

function parseTarget(url: string): { host: string; port: number } {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) };
}
