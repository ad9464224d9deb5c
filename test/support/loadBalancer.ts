import { once } from 'node:events';
import { type IncomingMessage, request as sendRequest, type ServerResponse } from 'node:http';
import {
  type ClientHttp2Session,
  connect as connectHttp2,
  constants,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { createPlaintextListener } from '../../src/service/server/portListener';

const HEAD_TIMEOUT_MS = 10_000;
const BAD_GATEWAY = 502;

/** Request that a load balancer has sent to a node. */
export interface ForwardedRequest {
  path: string;
  /** URL of the node. */
  node: string;
}

/**
 * Load balancer without sticky sessions: sends each HTTP request to the next node, also if requests
 * share a connection. Supports HTTP/1.1 and HTTP/2 without TLS.
 */
export class LoadBalancer implements AsyncDisposable {
  private readonly sockets = new Set<Socket>();
  private readonly sessions = new Map<string, ClientHttp2Session>();
  private readonly nodes: URL[] = [];
  /** All requests in the order of their arrival. */
  readonly forwarded: ForwardedRequest[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<LoadBalancer> {
    const { server, http2 } = createPlaintextListener((request, response) => {
      // HTTP/2 requests arrive through the event below.
      if (!('stream' in request)) balancer.forwardHttp1(request, response as ServerResponse);
    }, HEAD_TIMEOUT_MS);
    http2.on('stream', (stream, headers) => balancer.forwardHttp2(stream, headers));
    const balancer = new LoadBalancer(server);
    server.on('connection', (socket: Socket) => {
      balancer.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => balancer.sockets.delete(socket));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return balancer;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  addNode(url: string): void {
    this.nodes.push(new URL(url));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const session of this.sessions.values()) session.destroy();
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private nextNode(path = ''): URL {
    const node = this.nodes[this.forwarded.length % this.nodes.length];
    if (node === undefined) throw new Error('the load balancer has no nodes');
    this.forwarded.push({ path, node: node.origin });
    return node;
  }

  private forwardHttp1(request: IncomingMessage, response: ServerResponse): void {
    const { method, url: path, headers } = request;
    const { hostname, port } = this.nextNode(path);
    const forwarded = sendRequest({ hostname, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? BAD_GATEWAY, answer.headers);
      pipeline(answer, response, () => undefined);
    });
    forwarded.on('error', () => response.destroy());
    response.on('close', () => forwarded.destroy());
    request.pipe(forwarded);
  }

  private forwardHttp2(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    const forwarded = this.openSession(this.nextNode(headers[':path'])).request(headers);
    const trailers = Promise.withResolvers<IncomingHttpHeaders>();
    forwarded.on('trailers', trailers.resolve);
    forwarded.on('close', () => trailers.resolve({}));
    forwarded.on('response', (answer, flags) => {
      if (stream.destroyed) return;
      if ((flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0) {
        stream.respond(answer, { endStream: true });
        return;
      }
      // Otherwise, the response object of the server would send its own trailers, which are empty.
      stream.removeAllListeners('wantTrailers');
      stream.respond(answer, { waitForTrailers: true });
      // Node.js can report the end of the response before its trailers.
      stream.on('wantTrailers', () => {
        void trailers.promise.then((received) => {
          if (!stream.destroyed) stream.sendTrailers(received);
        });
      });
      forwarded.pipe(stream);
    });
    stream.pipe(forwarded);
    const link = (from: typeof stream | typeof forwarded, to: typeof from): void => {
      from.on('error', () => undefined);
      from.on('close', () => {
        if (from.rstCode !== constants.NGHTTP2_NO_ERROR && !to.closed) to.close(from.rstCode);
      });
    };
    link(stream, forwarded);
    link(forwarded, stream);
  }

  private openSession(node: URL): ClientHttp2Session {
    const open = this.sessions.get(node.origin);
    if (open !== undefined && !open.closed && !open.destroyed) return open;
    const session = connectHttp2(node.origin);
    session.on('error', () => undefined);
    this.sessions.set(node.origin, session);
    return session;
  }
}

/** Forwards each connection to the next port, like a load balancer that doesn't know the protocol. */
export async function balanceConnections(
  listen: { host: string; port: number },
  hosts: readonly string[],
): Promise<AsyncDisposable> {
  const sockets = new Set<Socket>();
  let count = 0;
  const server = createServer((near) => {
    count += 1;
    const far = connect(listen.port, hosts[count % hosts.length] ?? listen.host);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        near.destroy();
        far.destroy();
        sockets.delete(socket);
      });
    }
    near.pipe(far);
    far.pipe(near);
  });
  server.listen(listen);
  await once(server, 'listening');
  return {
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
