import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import {
  contentAddress,
  ContentReader,
  redirectedAddress,
} from '../../../../src/core/api/contentReader';
import type { ContentStream } from '../../../../src/core/api/contentStream';
import { FleetError } from '../../../../src/core/api/errors';
import { CapturingPart } from '../../../support/capturingPart';
import { type HttpFleet, openHttpFleet } from '../../../support/httpFleet';

const MEBIBYTE = 1024 * 1024;
const ofKind = (kind: string) => (error: unknown) =>
  error instanceof FleetError && error.kind === kind;

async function readAllBytes({ chunks }: ContentStream): Promise<Buffer> {
  const received: Uint8Array[] = [];
  for await (const chunk of chunks) received.push(chunk);
  return Buffer.concat(received);
}

describe('contentAddress', () => {
  const BASE = 'https://fleet.example.com:8443/';

  it('sends the token only to the scheme, host, and port of the connection', () => {
    const withToken = (uri: string): boolean => contentAddress(uri, BASE).withToken;
    assert.equal(withToken('https://fleet.example.com:8443/binary-data/1'), true);
    assert.equal(withToken('https://FLEET.example.com:8443/x'), true);
    assert.equal(withToken('https://fleet.example.com/x'), false);
    assert.equal(withToken('https://fleet.example.com.evil.com:8443/x'), false);
    assert.equal(withToken('https://fleet.example.com:8443@evil.com/x'), false);
    assert.equal(withToken('https://store.example.com/x?signature=1'), false);
  });

  it('rejects addresses that are neither of the connection nor encrypted', () => {
    const addresses = [
      'http://fleet.example.com:8443/x',
      'http://169.254.169.254/meta',
      'ftp://a/b',
    ];
    for (const uri of [...addresses, 'file:///etc/passwd', '/x', '', 'data:,x']) {
      assert.throws(() => contentAddress(uri, BASE), ofKind('unsupported'), uri);
    }
  });

  it('removes passwords from addresses', () => {
    assert.equal(contentAddress('https://me:secret@store.example.com/x', BASE).url.username, '');
  });

  it('never sends the token again after a redirect to another address', () => {
    const own = contentAddress(`${BASE}a`, BASE);
    assert.equal(redirectedAddress(own, '/b', BASE).withToken, true);
    const foreign = redirectedAddress(own, 'https://store.example.com/b', BASE);
    assert.equal(foreign.withToken, false);
    assert.equal(redirectedAddress(foreign, `${BASE}c`, BASE).withToken, false);
    assert.throws(() => redirectedAddress(own, 'http://store.example.com/', BASE));
  });
});

describe('ContentReader', () => {
  let server: Server;
  let url: string;
  let answer: RequestListener;
  let requests: IncomingMessage[];
  let tokens: string[];
  let reader: ContentReader;

  beforeEach(async () => {
    requests = [];
    tokens = ['first', 'second'];
    server = createServer((request, response) => {
      requests.push(request);
      answer(request, response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    reader = new ContentReader({
      baseUrl: url,
      authorities: [],
      getToken: () => Promise.resolve(tokens[0] ?? ''),
      invalidateToken: (token) => (tokens = tokens.filter((other) => other !== token)),
    });
  });
  afterEach(() => {
    reader.dispose();
    server.closeAllConnections();
    server.close();
  });

  const bearers = (): unknown[] => requests.map(({ headers }) => headers.authorization);

  it('renews a rejected token once and retries', async () => {
    answer = ({ headers }, response) => {
      response.statusCode = headers.authorization === 'Bearer second' ? 200 : 401;
      response.end('content');
    };
    const stream = await reader.read(`${url}/1`, {});
    assert.equal(String(await readAllBytes(stream)), 'content');
    assert.deepEqual(bearers(), ['Bearer first', 'Bearer second']);
    tokens = ['third', 'fourth', 'fifth'];
    await assert.rejects(reader.read(`${url}/1`, {}), ofKind('unauthenticated'));
    assert.equal(requests.length, 4);
  });

  it('reports the message of the server, and the kind of failure', async () => {
    const statuses: readonly [number, string][] = [
      [403, 'permission'],
      [404, 'notFound'],
      [416, 'conflict'],
      [503, 'unavailable'],
      [418, 'internal'],
    ];
    for (const [status, kind] of statuses) {
      answer = (_, response) => {
        response.writeHead(status, { 'content-type': 'text/plain' }).end('for a reason');
      };
      await assert.rejects(reader.read(`${url}/1`, {}), (error) => {
        assert.ok(ofKind(kind)(error), String(error));
        return String(error).includes('for a reason');
      });
    }
  });

  it('follows redirects on its own address, and stops at a redirect loop', async () => {
    answer = ({ url: path }, response) => {
      if (path === '/end') response.end('there');
      else response.writeHead(302, { location: path === '/start' ? '/end' : path }).end();
    };
    assert.equal(String(await readAllBytes(await reader.read(`${url}/start`, {}))), 'there');
    await assert.rejects(reader.read(`${url}/round`, {}), ofKind('unavailable'));
  });

  it('rejects a redirect to an unencrypted address', async () => {
    answer = (_, response) => {
      response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
    };
    await assert.rejects(reader.read(`${url}/1`, {}), ofKind('unsupported'));
  });

  it('throws when the connection is cut in the middle', async () => {
    answer = (_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => response.destroy());
    };
    const stream = await reader.read(`${url}/1`, {});
    assert.equal(stream.size, 100);
    await assert.rejects(readAllBytes(stream), ofKind('unavailable'));
  });

  it('rejects another range of a content than the requested one', async () => {
    answer = (_, response) => {
      response.writeHead(206, { 'content-range': 'bytes 0-6/7' }).end('content');
    };
    const from = { start: 3, version: '"1"' };
    await assert.rejects(reader.read(`${url}/1`, { from }), ofKind('internal'));
  });

  it('rejects a range of another version than the requested one', async () => {
    answer = (_, response) => {
      response.writeHead(206, { 'content-range': 'bytes 3-6/7', etag: '"2"' }).end('tent');
    };
    const from = { start: 3, version: '"1"' };
    await assert.rejects(reader.read(`${url}/1`, { from }), ofKind('conflict'));
  });

  it('compares the hash that the service sends with a redirect', async () => {
    const hash = createHash('sha256').update('content').digest('hex');
    for (const [content, kind] of [
      ['content', undefined],
      ['changed', 'damaged'],
    ] as const) {
      answer = ({ url: path }, response) => {
        const headers = { location: '/end', 'fleetwright-content-sha256': hash };
        if (path === '/end') response.end(content);
        else response.writeHead(307, headers).end();
      };
      const read = readAllBytes(await reader.read(`${url}/start`, {}));
      if (kind === undefined) assert.equal(String(await read), content);
      else await assert.rejects(read, ofKind(kind));
    }
  });

  it('ends the request when it is aborted or left early', async () => {
    answer = (_, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('start');
    };
    const controller = new AbortController();
    const { signal } = controller;
    const stream = await reader.read(`${url}/1`, { signal });
    controller.abort();
    await assert.rejects(readAllBytes(stream), ofKind('canceled'));
    await assert.rejects(reader.read(`${url}/1`, { signal }), ofKind('canceled'));
    const left = await reader.read(`${url}/2`, {});
    for await (const chunk of left.chunks) {
      assert.equal(String(chunk), 'start');
      break;
    }
    const last = requests.at(-1)?.socket;
    if (last && !last.destroyed) await once(last, 'close');
  });

  it('reads without a token from another host over TLS, whose authority can be configured', async () => {
    const read = (name: string): string =>
      readFileSync(join(__dirname, `certificates/selfSigned.${name}.pem`), 'utf8');
    const store = createSecureServer(
      { cert: read('cert'), key: read('key') },
      ({ headers }, other) => other.end(JSON.stringify(headers)),
    ).listen(0, 'localhost');
    await once(store, 'listening');
    const there = `https://localhost:${(store.address() as AddressInfo).port}/1`;
    answer = (_, response) => {
      response.writeHead(302, { location: there }).end();
    };
    const trusting = new ContentReader({
      baseUrl: url,
      authorities: [read('cert')],
      getToken: () => Promise.resolve('first'),
      invalidateToken: () => undefined,
    });
    try {
      for (const uri of [there, `${url}/1`]) {
        const headers = String(await readAllBytes(await trusting.read(uri, {})));
        assert.match(headers, /accept-encoding/);
        assert.doesNotMatch(headers, /authorization|first/);
      }
      await assert.rejects(reader.read(there, {}), ofKind('unavailable'));
    } finally {
      trusting.dispose();
      store.closeAllConnections();
      store.close();
    }
  });

  it('reports a host that does not respond', async () => {
    answer = () => undefined;
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
    await assert.rejects(reader.read(`${url}/1`, {}), ofKind('unavailable'));
  });
});

describe('contents of items over HTTP', function () {
  this.timeout(120_000);
  let fleet: HttpFleet;
  let part: CapturingPart;
  const bytes = Buffer.alloc(5 * MEBIBYTE, 'abcdefg');

  before(async () => {
    fleet = await openHttpFleet();
    part = await CapturingPart.create(fleet, fleet.session.stores);
    await part.capture({ bytes });
    await part.capture({ second: 1, bytes: Buffer.from('small') });
  });
  after(() => fleet.close());
  beforeEach(() => fleet.reads.splice(0));

  it('are read completely, or from an offset', async () => {
    const { binaryData } = fleet.session.stores;
    const [item] = await part.items();
    assert.ok(item);
    const whole = await binaryData.content(item);
    assert.equal(whole.size, bytes.length);
    assert.ok(bytes.equals(await readAllBytes(whole)));
    assert.ok(whole.version);
    const from = { start: 4 * MEBIBYTE, version: whole.version };
    const rest = await binaryData.content(item, { from });
    assert.equal(rest.start, from.start);
    assert.equal(rest.size, bytes.length);
    assert.ok(bytes.subarray(from.start).equals(await readAllBytes(rest)));
    assert.equal(fleet.reads.at(-1)?.headers.range, `bytes=${from.start}-`);
  });

  it('are read from the start if they were replaced', async () => {
    const [item] = await part.items();
    assert.ok(item);
    const from = { start: 10, version: '"another"' };
    const stream = await fleet.session.stores.binaryData.content(item, { from });
    assert.equal(stream.start, 0);
    assert.equal((await readAllBytes(stream)).length, bytes.length);
  });

  it('are read in a call if they are small', async () => {
    const [, item] = await part.items();
    assert.ok(item);
    const stream = await fleet.session.stores.binaryData.content(item);
    assert.equal(String(await readAllBytes(stream)), 'small');
    assert.equal(fleet.reads.length, 0);
  });
});
