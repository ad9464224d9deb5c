import assert from 'node:assert/strict';
import { NatsNotices } from '../../src/service/logs/natsNotices';
import { readNatsUrl } from '../../src/service/process/serveOptions';
import { Link } from '../chaos/link';
import { describeNats, NatsTestServer } from '../support/natsServer';
import { postgresForTests, type TestPostgres } from '../support/postgres';
import { RecordingLogger } from '../support/recordingLogger';
import { TestClock } from '../support/testClock';
import { waitUntil } from '../support/waitUntil';
import {
  appClient,
  connectPart,
  type Deployment,
  signInAsOwner,
  signInToken,
  startRouterDeployment,
} from './deployment';
import { LogTail, newMachine, newOrganization } from './fleetFixture';

/** Timeout that includes the installation of a PostgreSQL server before its first use. */
const TIMEOUT_MS = 120_000;

describeNats('nodes that notify each other through NATS', function () {
  this.timeout(TIMEOUT_MS);
  let nats: NatsTestServer;
  let postgres: TestPostgres;
  let logger: RecordingLogger;
  /** Notices that each node has received. */
  let received: string[][];
  let resumptions: number[];
  let nodes: Deployment[];

  before(async () => {
    nats = await NatsTestServer.start();
    postgres = await postgresForTests();
    logger = new RecordingLogger();
    received = [[], []];
    resumptions = [0, 0];
    const databaseUrl = await postgres.url();
    const server = readNatsUrl(nats.url);
    nodes = [];
    for (const index of [0, 1]) {
      nodes.push(
        await startRouterDeployment(new TestClock(), databaseUrl, {
          openNotices: (receiver) =>
            new NatsNotices(
              { server, logger },
              {
                receive: (notice) => {
                  received[index]?.push(notice);
                  receiver.receive(notice);
                },
                resume: () => {
                  resumptions[index] = (resumptions[index] ?? 0) + 1;
                  receiver.resume();
                },
              },
            ),
        }),
      );
    }
    await waitUntil(() => resumptions.every((count) => count === 1));
  });

  after(async () => {
    for (const node of nodes) await node.stop();
    await postgres.stop();
    await nats[Symbol.asyncDispose]();
  });

  /** Connects a program that receives nothing. */
  async function connectSender(log = logger): Promise<NatsNotices> {
    const connected = Promise.withResolvers<undefined>();
    const sender = new NatsNotices(
      { server: readNatsUrl(nats.url), logger: log },
      { receive: () => undefined, resume: () => connected.resolve(undefined) },
    );
    await connected.promise;
    return sender;
  }

  it('show a line that one of them receives in a tail of the other, with nothing lost or doubled while NATS is down', async () => {
    const [a, b] = nodes;
    assert.ok(a && b);
    const owner = await signInAsOwner(a);
    const { part } = await newMachine(owner, (await newOrganization(owner)).id);
    const { id } = part;
    const machine = await connectPart(b, part);
    const send = (message: string) => machine.log({ id, logs: [{ message, level: 'info' }] });

    const { apiKeyId, apiKey } = a.owner;
    const app = appClient(a, await signInToken(a, { id: apiKeyId, key: apiKey }));
    const tail = await LogTail.open(app, id);

    await send('connected');
    await tail.read(1);
    await waitUntil(() => received[0]?.length === 1);
    assert.deepEqual(received[1], [], 'a node receives its own notices');

    await nats.kill();
    await waitUntil(() => logger.lines.length >= nodes.length);
    await send('without NATS');
    await tail.read(2);
    await send('before the restart');
    await nats.run();
    await waitUntil(() => resumptions.every((count) => count === 2));
    await send('connected again');
    assert.deepEqual(await tail.read(4), [
      'connected',
      'without NATS',
      'before the restart',
      'connected again',
    ]);
    await waitUntil(() => received[0]?.length === 2);
    await tail.close();
    assert.match(logger.lines[0]?.message ?? '', /NATS is not reachable/);
    assert.doesNotMatch(JSON.stringify(logger.lines), /secret/);
  });

  it('receive each notice that is sent after they resume', async () => {
    await using link = await Link.toUrl(nats.url);
    const sender = await connectSender();
    let resumed = 0;
    const arrived: string[] = [];
    const receiver = new NatsNotices(
      { server: readNatsUrl(link.rewrite(nats.url)), logger },
      {
        receive: (notice) => arrived.push(notice),
        resume: () => void sender.send(`resumed ${String((resumed += 1))}`),
      },
    );
    for (const count of [1, 2, 3]) {
      await waitUntil(() => resumed >= count);
      await waitUntil(() => arrived.includes(`resumed ${String(count)}`));
      link.cut();
      link.heal();
    }
    await receiver.close();
    await sender.close();
  });

  it('stay connected when another program sends something else', async () => {
    const before = [...resumptions];
    const sent = received[0]?.length ?? 0;
    const program = await connectSender();
    for (const notice of ['not JSON', '{}', '[1]', '["end"]']) await program.send(notice);
    await waitUntil(() => received[0]?.at(-1) === '["end"]');
    assert.equal(received[0]?.length, sent + 4);
    assert.deepEqual(resumptions, before);
    await program.close();
  });

  it('drop a notice that NATS does not accept, or that is sent after the end', async () => {
    const warnings = new RecordingLogger();
    const sender = await connectSender(warnings);
    // More than the default `max_payload` of NATS, 1 MiB.
    await sender.send('x'.repeat(2 ** 21));
    assert.match(JSON.stringify(warnings.lines), /max_payload/);
    await sender.close();
    await sender.send('late');
  });

  it('connect again when NATS accepts their credentials again', async () => {
    const before = [...resumptions];
    await nats.kill();
    await nats.run('fleet:other');
    const rejectionsPerNode = 3;
    await waitUntil(() => nats.rejections >= nodes.length * rejectionsPerNode);
    await nats.kill();
    await nats.run();
    await waitUntil(() => resumptions.every((count, index) => count > (before[index] ?? 0)));
  });
});
