import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Binary, type Document, serialize } from 'bson';
import { DatabaseFixture, PASSWORD } from './databaseFixture';
import {
  sendRequest,
  command,
  HEADER_BYTES,
  legacyCommand,
  message,
  OP_COMPRESSED,
  OP_MSG,
  OP_QUERY,
  OP_REPLY,
  signIn,
  WireClients,
} from './wireClient';

describe('bytes that MongoDB clients send', () => {
  let fixture: DatabaseFixture;
  let clients: WireClients;

  before(async () => {
    fixture = await DatabaseFixture.open();
    await fixture.addOrganization('acme', 3);
    clients = new WireClients(fixture.port);
  });

  afterEach(() => clients[Symbol.dispose]());

  after(() => fixture.close());

  const dial = () => clients.dial();

  it('get a greeting in their own format', async () => {
    const socket = await dial();
    const old = await sendRequest(socket, legacyCommand({ isMaster: 1, helloOk: true }));
    assert.deepEqual([old.opCode, old.answer.ismaster, old.answer.helloOk], [OP_REPLY, true, true]);
    const wrapped = await sendRequest(
      socket,
      legacyCommand({ $query: { ismaster: 1 }, $readPreference: {} }),
    );
    assert.equal(wrapped.answer.ok, 1);
    const now = await sendRequest(
      socket,
      command({ hello: 1, saslSupportedMechs: 'admin.nobody' }),
    );
    assert.deepEqual(
      [now.opCode, now.answer.isWritablePrimary, now.answer.saslSupportedMechs],
      [OP_MSG, true, ['SCRAM-SHA-256']],
    );
    const unsupported = await sendRequest(socket, legacyCommand({ ping: 1 }));
    assert.equal(unsupported.answer.codeName, 'UnsupportedOpQueryCommand');
  });

  it('are accepted only for greeting and signing in before a client has signed in', async () => {
    const socket = await dial();
    for (const name of [
      'ping',
      'find',
      'buildInfo',
      'listDatabases',
      'noSuchThing',
      'constructor',
    ]) {
      const { answer } = await sendRequest(socket, command({ [name]: 1 }));
      assert.equal(answer.codeName, 'Unauthorized', name);
    }
  });

  it('cannot sign in with other mechanisms, out of order, or repeatedly', async () => {
    const socket = await dial();
    const out = await sendRequest(socket, command({ saslContinue: 1, conversationId: 1 }));
    assert.equal(out.answer.codeName, 'ProtocolError');
    const plain = { saslStart: 1, mechanism: 'PLAIN', payload: new Binary(Buffer.from('a')) };
    const closed = once(socket, 'close');
    for (let n = 0; n < 3; n += 1) {
      const { answer } = await sendRequest(socket, command(plain));
      assert.deepEqual([answer.code, answer.codeName], [18, 'AuthenticationFailed']);
    }
    await closed;
  });

  it('cannot distinguish a wrong password from an unknown user', async () => {
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

  it('close only their own connection when they are not messages', async () => {
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
      header(HEADER_BYTES + 5, 2002),
      command({ hello: 1 }, 1 << 2),
      message(OP_MSG, Buffer.alloc(5), Buffer.from([255, 0, 0, 0, 0])),
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

  it('get a reason when they are a message that is not accepted', async () => {
    const deep = (depth: number): Document =>
      depth === 0 ? {} : { a: depth % 2 === 0 ? deep(depth - 1) : [deep(depth - 1)] };
    const rejected: [Buffer, string][] = [
      [command({ hello: 1, client: 'x'.repeat(100_000) }), 'BSONObjectTooLarge'],
      [message(OP_COMPRESSED, Buffer.alloc(30)), 'ProtocolError'],
      [message(OP_MSG, Buffer.alloc(5), Buffer.from([9, 0, 0, 0, 1, 97, 0, 1, 0])), 'InvalidBSON'],
      [command({ hello: 1, client: deep(150) }), 'Overflow'],
    ];
    for (const [bytes, codeName] of rejected) {
      const socket = await dial();
      const closed = once(socket, 'close');
      assert.equal((await sendRequest(socket, bytes)).answer.codeName, codeName);
      await closed;
    }
    const socket = await clients.dialSignedIn('acme');
    for (const name of ['find', 'aggregate', 'explain', 'listDatabases', 'noSuchThing']) {
      const bytes = command({ [name]: 'readings', filter: deep(150), $db: 'sensorData' });
      assert.equal((await sendRequest(socket, bytes)).answer.codeName, 'Overflow', name);
    }
    const badText = command({ find: 'readings', filter: { a: 'x~' }, $db: 'sensorData' });
    badText[badText.indexOf('~')] = 0xff;
    assert.equal((await sendRequest(socket, badText)).answer.codeName, 'InvalidBSON');
    const found = await sendRequest(socket, command({ find: 'readings', $db: 'sensorData' }));
    assert.equal(found.answer.ok, 1);
    assert.deepEqual(
      fixture.logger.lines.filter(({ level }) => level === 'error'),
      [],
    );
  });

  it('can arrive in chunks', async () => {
    const socket = await dial();
    const bytes = command({ hello: 1 });
    const answered = sendRequest(socket, bytes.subarray(0, 1));
    for (const byte of bytes.subarray(1)) {
      socket.write(Buffer.from([byte]));
      await new Promise(setImmediate);
    }
    assert.equal((await answered).answer.ok, 1);
  });

  it('are rejected after the password was changed, also in other processes', async () => {
    await fixture.addOrganization('initech', 1);
    const readings = fixture.collection('initech');
    assert.equal(await readings.estimatedDocumentCount(), 1);
    await fixture.setPassword('initech', 'another one');
    await assert.rejects(readings.estimatedDocumentCount(), { codeName: 'Unauthorized' });
    await assert.rejects(readings.estimatedDocumentCount(), { codeName: 'AuthenticationFailed' });
  });

  it('can request an empty final exchange, like older drivers', async () => {
    const socket = await dial();
    const { answer } = await signIn(socket, 'acme');
    assert.deepEqual([answer.ok, answer.done], [1, true]);
    assert.equal((await sendRequest(socket, command({ ping: 1 }))).answer.ok, 1);
  });
});
