import assert from 'node:assert/strict';
import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Binary, deserialize, type Document, serialize } from 'bson';
import { PASSWORD } from './databaseFixture';

export const HEADER_BYTES = 16;
export const OP_REPLY = 1;
export const OP_QUERY = 2004;
export const OP_COMPRESSED = 2012;
export const OP_MSG = 2013;

export function message(opCode: number, ...parts: Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeInt32LE(HEADER_BYTES + body.byteLength, 0);
  header.writeInt32LE(7, 4);
  header.writeInt32LE(opCode, 12);
  return Buffer.concat([header, body]);
}

/** Returns a command in the current format; without `$db`, the command targets `admin`. */
export function command({ $db = 'admin', ...document }: Document, flags = 0): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32LE(flags, 0);
  return message(OP_MSG, head, serialize({ ...document, $db: String($db) }));
}

/** Returns a command in the legacy format that drivers use first. */
export function legacyCommand(document: Document): Buffer {
  const numbers = Buffer.alloc(8);
  return message(
    OP_QUERY,
    Buffer.alloc(4),
    Buffer.from('admin.$cmd\0'),
    numbers,
    serialize(document),
  );
}

export interface WireResponse {
  opCode: number;
  answer: Document;
}

/**
 * Sends bytes and reads one response.
 * @throws if the connection is closed before the response.
 */
export async function sendRequest(socket: Socket, bytes: Uint8Array): Promise<WireResponse> {
  const closed = new AbortController();
  socket.once('close', () => closed.abort());
  socket.setMaxListeners(0);
  socket.write(bytes);
  let buffered = Buffer.alloc(0);
  while (buffered.byteLength < 4 || buffered.byteLength < buffered.readInt32LE(0)) {
    const [chunk] = (await once(socket, 'data', { signal: closed.signal })) as [Buffer];
    buffered = Buffer.concat([buffered, chunk]);
  }
  const opCode = buffered.readInt32LE(12);
  assert.equal(buffered.readInt32LE(8), 7);
  const start = HEADER_BYTES + (opCode === OP_REPLY ? 20 : 5);
  return { opCode, answer: deserialize(buffered.subarray(start)) };
}

/** Connections that are closed together. */
export class WireClients implements Disposable {
  private readonly sockets: Socket[] = [];

  constructor(private readonly port: number) {}

  async dial(): Promise<Socket> {
    const socket = connect(this.port, '127.0.0.1');
    this.sockets.push(socket);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  }

  /** Opens a connection that is signed in as an organization's database user. */
  async dialSignedIn(organizationId: string): Promise<Socket> {
    const socket = await this.dial();
    const { answer } = await signIn(socket, organizationId);
    assert.deepEqual([answer.ok, answer.done], [1, true]);
    return socket;
  }

  [Symbol.dispose](): void {
    this.sockets.splice(0).forEach((socket) => socket.destroy());
  }
}

/** Signs in with SCRAM-SHA-256, with an empty final message like older drivers. */
export async function signIn(socket: Socket, organizationId: string): Promise<WireResponse> {
  const payload = (text: string) => new Binary(Buffer.from(text));
  const bare = `n=db-user-${organizationId},r=abc`;
  const start = { saslStart: 1, mechanism: 'SCRAM-SHA-256', payload: payload(`n,,${bare}`) };
  const first = String((await sendRequest(socket, command(start))).answer.payload);
  const [, nonce = '', salt = '', count = ''] = /^r=(.+),s=(.+),i=(.+)$/.exec(first) ?? [];
  const clientKey = hmac(getSaltedPassword(salt, count), 'Client Key');
  const storedKey = createHash('sha256').update(clientKey).digest();
  const signature = hmac(storedKey, `${bare},${first},c=biws,r=${nonce}`);
  const proof = clientKey.map((byte, index) => byte ^ (signature[index] ?? 0));
  const final = `c=biws,r=${nonce},p=${Buffer.from(proof).toString('base64')}`;
  const say = (text: string) =>
    sendRequest(socket, command({ saslContinue: 1, conversationId: 1, payload: payload(text) }));
  const { answer } = await say(final);
  assert.deepEqual([answer.ok, answer.done], [1, false]);
  return say('');
}

const salted = new Map<string, Buffer>();

/**
 * Returns the salted password. Cached, because the computation is slow; drivers also perform it
 * only once per password.
 */
function getSaltedPassword(salt: string, count: string): Buffer {
  const key = `${salt} ${count}`;
  const known =
    salted.get(key) ??
    pbkdf2Sync(PASSWORD, Buffer.from(salt, 'base64'), Number(count), 32, 'sha256');
  salted.set(key, known);
  return known;
}

function hmac(secret: Uint8Array, text: string): Buffer {
  return createHmac('sha256', secret).update(text).digest();
}
