import assert from 'node:assert/strict';
import { Code } from '@connectrpc/connect';
import { Client as DatabaseClient } from 'pg';
import { postgresForTests, type TestPostgres } from '../support/postgres';
import { TestClock } from '../support/testClock';
import {
  appClient,
  connectPart,
  type Deployment,
  signInAsOwner,
  signInToken,
  startRouterDeployment,
} from './deployment';
import { assertRejected, LogTail, newMachine, newOrganization } from './fleetFixture';

const TIMEOUT_MS = 120_000;
const ROUNDS = 12;
const LINES_A_ROUND = 50;

describe('log tails of services that share a database', function () {
  this.timeout(TIMEOUT_MS);
  let postgres: TestPostgres;
  let databaseUrl: string;
  let services: [Deployment, Deployment];

  before(async () => {
    postgres = await postgresForTests();
    databaseUrl = await postgres.url();
    const clock = new TestClock();
    services = [
      await startRouterDeployment(clock, databaseUrl),
      await startRouterDeployment(clock, databaseUrl),
    ];
  });

  after(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await postgres.stop();
  });

  /** Creates a part and connects its software to each of the services. */
  async function newPart(deployments: readonly Deployment[] = services) {
    const owner = await signInAsOwner(services[0]);
    const { part } = await newMachine(owner, (await newOrganization(owner)).id);
    const { id } = part;
    const machines = await Promise.all(deployments.map((service) => connectPart(service, part)));
    return { id, machines };
  }

  async function openTail(service: Deployment, id: string): Promise<LogTail> {
    const { apiKeyId, apiKey } = services[0].owner;
    const token = await signInToken(service, { id: apiKeyId, key: apiKey });
    return LogTail.open(appClient(service, token), id);
  }

  async function logInTurns(
    { id, machines }: Awaited<ReturnType<typeof newPart>>,
    between: (round: number) => Promise<void>,
  ): Promise<string[]> {
    const sent: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const messages = Array.from({ length: LINES_A_ROUND }, (_, n) => `line ${round}-${n}`);
      sent.push(...messages);
      await machines[round % machines.length]?.log({
        id,
        logs: messages.map((message) => ({ message, level: 'info' })),
      });
      await between(round);
    }
    return sent;
  }

  /** Asserts that tails have lines once each and in order, and closes them. */
  async function assertReceived(tails: readonly LogTail[], sent: readonly string[]): Promise<void> {
    for (const tail of tails) {
      assert.deepEqual(await tail.read(sent.length), sent);
      await tail.close();
    }
  }

  it('contain the lines that either service receives, once each and in order', async () => {
    const part = await newPart();
    await part.machines[1]?.log({ id: part.id, logs: [{ message: 'before', level: 'info' }] });
    const tails = await Promise.all(
      services.flatMap((service) => [openTail(service, part.id), openTail(service, part.id)]),
    );
    const sent = await logInTurns(part, () => Promise.resolve());
    await assertReceived(tails, sent);
  });

  it('lose and duplicate nothing when their database connections break', async () => {
    const part = await newPart();
    const tails = await Promise.all(services.map((one) => openTail(one, part.id)));
    const admin = new DatabaseClient({ connectionString: databaseUrl });
    await admin.connect();
    let broken = 0;
    const breakListening = async (round: number): Promise<void> => {
      if (round % 3 === 1) {
        const { rowCount } =
          await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name = 'fleetwright notices'`);
        broken += rowCount ?? 0;
      }
    };
    const sent = await logInTurns(part, breakListening);
    await admin.end();
    assert.ok(broken >= services.length, `${broken} connections were broken`);
    await assertReceived(tails, sent);
  });

  it('miss nothing after notices of another format', async () => {
    const part = await newPart();
    const tails = await Promise.all(services.map((one) => openTail(one, part.id)));
    const admin = new DatabaseClient({ connectionString: databaseUrl });
    await admin.connect();
    const foreign = ['not JSON', '{}', '[1]', 'null', ''];
    const sent = await logInTurns(part, async (round) => {
      const notice = foreign[round % foreign.length];
      await admin.query('select pg_notify($1, $2)', ['fleetwright_notices', notice]);
    });
    await admin.end();
    await assertReceived(tails, sent);
  });

  it('have all lines if every notice is lost', async () => {
    const openNotices = () => ({ send: () => Promise.resolve(), close: () => Promise.resolve() });
    const deaf = [
      await startRouterDeployment(new TestClock(), databaseUrl, { openNotices }),
      await startRouterDeployment(new TestClock(), databaseUrl, { openNotices }),
    ];
    try {
      const part = await newPart(deaf);
      const tails = await Promise.all(deaf.map((one) => openTail(one, part.id)));
      const sent = await logInTurns(part, () => Promise.resolve());
      await assertReceived(tails, sent);
    } finally {
      await Promise.all(deaf.map((service) => service.stop()));
    }
  });

  it('end when their part is deleted on either service', async () => {
    const part = await newPart();
    const owner = await signInAsOwner(services[0]);
    const tail = await openTail(services[1], part.id);
    const { part: found } = await owner.getRobotPart({ id: part.id });
    await owner.deleteRobot({ id: found?.robot ?? '' });
    await assertRejected(tail.read(1), Code.NotFound);
  });
});
