import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A proxy to a service that breaks its connection on request, at any point of the data. */
export class CuttingProxy implements AsyncDisposable {
  private readonly sockets = new Set<Socket>();
  private passed = 0;
  private cutAt: { readonly bytes: number; readonly losesAnswer: boolean } | undefined;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async to(url: string): Promise<CuttingProxy> {
    const { hostname, port } = new URL(url);
    const server = createServer((near) => {
      proxy.join(near, connect(Number(port), hostname));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const own = (server.address() as AddressInfo).port;
    const proxy = new CuttingProxy(server, `http://127.0.0.1:${String(own)}`);
    return proxy;
  }

  /**
   * Breaks the connection after the given number of additional bytes has been sent to the service.
   */
  cutAfter(bytes: number): void {
    this.passed = 0;
    this.cutAt = { bytes, losesAnswer: false };
  }

  /**
   * Breaks the connection when the service responds after a number of bytes have been sent to it;
   * all bytes reach the service.
   */
  dropResponseAfter(bytes: number): void {
    this.passed = 0;
    this.cutAt = { bytes, losesAnswer: true };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.server.close();
    await once(this.server, 'close');
  }

  private join(near: Socket, far: Socket): void {
    const isDue = (losesAnswer: boolean): boolean =>
      this.cutAt?.losesAnswer === losesAnswer && this.passed >= this.cutAt.bytes;
    for (const socket of [near, far]) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        near.destroy();
        far.destroy();
        this.sockets.delete(socket);
      });
    }
    near.on('data', (bytes) => {
      this.passed += bytes.length;
      if (isDue(false)) this.cut();
      else far.write(bytes);
    });
    far.on('data', (bytes) => {
      // Acknowledgments are short and in separate frames, so only the response of a call matches.
      if (isDue(true) && bytes.includes('http://')) this.cut();
      else near.write(bytes);
    });
  }

  private cut(): void {
    this.cutAt = undefined;
    for (const socket of this.sockets) socket.destroy();
  }
}
