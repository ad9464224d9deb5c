import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { generate } from 'selfsigned';

/** Port with a self-signed certificate in front of a service without TLS. */
export class TlsProxy {
  private constructor(
    private readonly server: Server,
    private readonly sockets: ReadonlySet<TLSSocket>,
    private readonly folder: string,
  ) {}

  /** @param service URL of the service */
  static async start(service: URL): Promise<TlsProxy> {
    const altNames = [{ type: 7 as const, ip: '127.0.0.1' }];
    const { cert, private: key } = await generate([{ name: 'commonName', value: 'fleet' }], {
      keyType: 'ec',
      extensions: [{ name: 'subjectAltName', altNames }],
    });
    const folder = mkdtempSync(join(tmpdir(), 'fleetwright-tls-'));
    const sockets = new Set<TLSSocket>();
    const server = createServer({ cert, key, ALPNProtocols: ['h2'] }, (socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      const upstream = connect(Number(service.port), service.hostname);
      socket.on('error', () => upstream.destroy());
      upstream.on('error', () => socket.destroy());
      socket.pipe(upstream).pipe(socket);
    });
    const proxy = new TlsProxy(server, sockets, folder);
    writeFileSync(proxy.certificateFile, cert);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** PEM file of the authority that signed the certificate. */
  get certificateFile(): string {
    return join(this.folder, 'authority.pem');
  }

  [Symbol.asyncDispose](): Promise<void> {
    rmSync(this.folder, { recursive: true });
    for (const socket of this.sockets) socket.destroy();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}
