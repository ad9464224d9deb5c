import assert from 'node:assert/strict';
import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Binary, deserialize, type Document, serialize } from 'bson';
import { DatabaseFixture, PASSWORD } from './databaseFixture';

const HEADER_BYTES = 16;
const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;

function message(opCode: number, ...parts: Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeInt32LE(HEADER_BYTES + body.byteLength, 0);
  header.writeInt32LE(7, 4);
  header.writeInt32LE(opCode, 12);
  return Buffer.concat([header, body]);
}

/** A command in the form of today. */
function command(document: Document, flags = 0): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32LE(flags, 0);
  return message(OP_MSG, head, serialize({ ...document, $db: 'admin' }));
}

/** A command in the form in which drivers begin. */
function legacyCommand(document: Document): Buffer {
  const numbers = Buffer.alloc(8);
  return message(
    OP_QUERY,
    Buffer.alloc(4),
    Buffer.from('admin.$cmd\0'),
    numbers,
    serialize(document),
  );
}

describe('bytes that clients of MongoDB send', () => {
  let fixture: DatabaseFixture;
  const sockets: Socket[] = [];

  before(async () => {
    fixture = await DatabaseFixture.open();
    await fixture.addOrganization('acme', 3);
  });

  afterEach(() => sockets.splice(0).forEach((socket) => socket.destroy()));

  after(() => fixture.close());

  const dial = async (): Promise<Socket> => {
    const socket = connect(fixture.port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  };

  /** Sends bytes and reads one answer. */
  const ask = async (
    socket: Socket,
    bytes: Uint8Array,
  ): Promise<{ opCode: number; answer: Document }> => {
    socket.write(bytes);
    let held = Buffer.alloc(0);
    while (held.byteLength < 4 || held.byteLength < held.readInt32LE(0)) {
      const [piece] = (await once(socket, 'data')) as [Buffer];
      held = Buffer.concat([held, piece]);
    }
    const opCode = held.readInt32LE(12);
    assert.equal(held.readInt32LE(8), 7);
    return {
      opCode,
      answer: deserialize(held.subarray(HEADER_BYTES + (opCode === OP_REPLY ? 20 : 5))),
    };
  };

  it('are greeted in the form in which they came', async () => {
    const socket = await dial();
    const old = await ask(socket, legacyCommand({ isMaster: 1, helloOk: true }));
    assert.deepEqual([old.opCode, old.answer.ismaster, old.answer.helloOk], [OP_REPLY, true, true]);
    const wrapped = await ask(
      socket,
      legacyCommand({ $query: { ismaster: 1 }, $readPreference: {} }),
    );
    assert.equal(wrapped.answer.ok, 1);
    const now = await ask(socket, command({ hello: 1, saslSupportedMechs: 'admin.nobody' }));
    assert.deepEqual(
      [now.opCode, now.answer.isWritablePrimary, now.answer.saslSupportedMechs],
      [OP_MSG, true, ['SCRAM-SHA-256']],
    );
    const unsupported = await ask(socket, legacyCommand({ ping: 1 }));
    assert.equal(unsupported.answer.codeName, 'UnsupportedOpQueryCommand');
  });

  it('do nothing but greet and sign in before somebody has signed in', async () => {
    const socket = await dial();
    for (const name of [
      'ping',
      'find',
      'buildInfo',
      'listDatabases',
      'noSuchThing',
      'constructor',
    ]) {
      const { answer } = await ask(socket, command({ [name]: 1 }));
      assert.equal(answer.codeName, 'Unauthorized', name);
    }
  });

  it('cannot sign in by other ways, out of turn, or more than a few times', async () => {
    const socket = await dial();
    const out = await ask(socket, command({ saslContinue: 1, conversationId: 1 }));
    assert.equal(out.answer.codeName, 'ProtocolError');
    const plain = { saslStart: 1, mechanism: 'PLAIN', payload: new Binary(Buffer.from('a')) };
    const closed = once(socket, 'close');
    for (let n = 0; n < 3; n += 1) {
      const { answer } = await ask(socket, command(plain));
      assert.deepEqual([answer.code, answer.codeName], [18, 'AuthenticationFailed']);
    }
    await closed;
  });

  it('do not tell a wrong password from a user that there is not', async () => {
    const answers = [];
    for (const [id, password] of [
      ['acme', 'wrong password'],
      ['nobody', PASSWORD],
      ['no\0body', PASSWORD],
    ] as const) {
      const error = await fixture
        .client(id, password)
        .connect()
        .catch((reason: unknown) => reason as Error & { code: number });
      assert.ok(error instanceof Error);
      answers.push([error.code, error.message]);
    }
    assert.deepEqual(answers[0], answers[1]);
    assert.deepEqual(answers[0], answers[2]);
    assert.deepEqual(answers[0], [18, 'Authentication failed.']);
  });

  it('end the connection when they are no messages, and nothing else', async () => {
    const header = (length: number, opCode = OP_MSG): Buffer => {
      const bytes = message(opCode, Buffer.alloc(5));
      bytes.writeInt32LE(length, 0);
      return bytes;
    };
    const hostile = [
      Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n\r\n'),
      header(-1),
      header(3),
      header(2 ** 31 - 1),
      header(100_000),
      header(HEADER_BYTES + 5, 2012),
      command({ hello: 1 }, 1 << 2),
      message(OP_MSG, Buffer.alloc(5), Buffer.from([255, 0, 0, 0, 0])),
      message(OP_MSG, Buffer.alloc(5), Buffer.from([9, 0, 0, 0, 1, 97, 0, 1, 0])),
      message(OP_MSG, Buffer.from([0, 0, 0, 0, 7, 5, 0, 0, 0, 0])),
      message(OP_MSG, Buffer.alloc(5), serialize({})),
      message(OP_QUERY, Buffer.alloc(4), Buffer.from('no end of the name')),
      message(
        OP_QUERY,
        Buffer.alloc(4),
        Buffer.from('a.b\0'),
        Buffer.alloc(8),
        serialize({ a: 1 }),
      ),
    ];
    for (const [index, bytes] of hostile.entries()) {
      const socket = await dial();
      const closed = once(socket, 'close');
      socket.on('data', () => assert.fail(`an answer to ${String(index)}`));
      socket.write(Buffer.concat([bytes, Buffer.alloc(100_000)]));
      await closed;
    }
    assert.equal((await fixture.collection('acme').findOne())?.organization_id, 'acme');
    assert.deepEqual(
      fixture.logger.lines.filter(({ level }) => level === 'error'),
      [],
    );
  });

  it('may come in pieces', async () => {
    const socket = await dial();
    const bytes = command({ hello: 1 });
    const answered = ask(socket, bytes.subarray(0, 1));
    for (const byte of bytes.subarray(1)) {
      socket.write(Buffer.from([byte]));
      await new Promise(setImmediate);
    }
    assert.equal((await answered).answer.ok, 1);
  });

  it('end with a changed password, also in other processes', async () => {
    await fixture.addOrganization('initech', 1);
    const readings = fixture.collection('initech');
    assert.equal(await readings.estimatedDocumentCount(), 1);
    await fixture.setPassword('initech', 'another one');
    await assert.rejects(readings.estimatedDocumentCount(), { codeName: 'Unauthorized' });
    await assert.rejects(readings.estimatedDocumentCount(), { codeName: 'AuthenticationFailed' });
  });

  it('may ask for an exchange that is empty at the end, as older drivers do', async () => {
    const socket = await dial();
    const payload = (text: string) => new Binary(Buffer.from(text));
    const bare = 'n=db-user-acme,r=abc';
    const start = { saslStart: 1, mechanism: 'SCRAM-SHA-256', payload: payload(`n,,${bare}`) };
    const first = String((await ask(socket, command(start))).answer.payload);
    const [, nonce = '', salt = '', count = ''] = /^r=(.+),s=(.+),i=(.+)$/.exec(first) ?? [];
    const key = pbkdf2Sync(PASSWORD, Buffer.from(salt, 'base64'), Number(count), 32, 'sha256');
    const hmac = (secret: Uint8Array, text: string) =>
      createHmac('sha256', secret).update(text).digest();
    const clientKey = hmac(key, 'Client Key');
    const storedKey = createHash('sha256').update(clientKey).digest();
    const signature = hmac(storedKey, `${bare},${first},c=biws,r=${nonce}`);
    const proof = clientKey.map((byte, index) => byte ^ (signature[index] ?? 0));
    const final = `c=biws,r=${nonce},p=${Buffer.from(proof).toString('base64')}`;
    const say = async (text: string) =>
      (await ask(socket, command({ saslContinue: 1, conversationId: 1, payload: payload(text) })))
        .answer;
    const proved = await say(final);
    assert.deepEqual([proved.ok, proved.done], [1, false]);
    assert.equal((await ask(socket, command({ ping: 1 }))).answer.codeName, 'Unauthorized');
    const done = await say('');
    assert.deepEqual([done.ok, done.done], [1, true]);
    assert.equal((await ask(socket, command({ ping: 1 }))).answer.ok, 1);
  });
});
