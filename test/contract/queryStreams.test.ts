import assert from 'node:assert/strict';
import { Code, ConnectError } from '@connectrpc/connect';
import { FleetError } from '../../src/core/api/errors';
import { clientsOver } from '../../src/core/api/fleetClients';
import { connectedTransport } from '../support/connectedTransport';
import type { OrganizationId } from '../../src/core/model/ids';
import { WireQuerySource } from '../../src/core/query/querySource';
import { TestClock } from '../support/testClock';
import { type Capturer, counting, newCapturer, upload } from './cases/tabularFixture';
import { bearerTransport, type Deployment, signInAsOwner, startHttpDeployment } from './deployment';
import type { Fleet } from './fleetFixture';

const STARTING_MS = 60_000;
/** Maximum time for which a query whose rows aren't read can keep its slot on a busy computer. */
const SLACK_MS = 15_000;
/**
 * Query timeout that is far longer than `SLACK_MS`, so that the timeout doesn't free a slot during
 * the test.
 */
const PATIENT_SECONDS = 120;
const IMPATIENT_SECONDS = 0.5;
/** Query with far more rows than pipes and windows can buffer. */
const ENDLESS_ROWS = "SELECT a.range, repeat('x', 500) FROM range(100000) a, range(100000) b";
const ENDLESS_WORK = 'SELECT count(*) FROM range(1000000000000) WHERE hash(range) = 1';
const SOON = 'SELECT 1 AS x';

type Rows = AsyncIterator<readonly Uint8Array[]>;

/** A service behind its port that runs one query at a time. */
class OneByOne {
  private constructor(
    private readonly deployment: Deployment,
    readonly fleet: Fleet,
    readonly made: Capturer,
  ) {}

  static async start(idleSeconds: number): Promise<OneByOne> {
    const clock = new TestClock();
    const deployment = await startHttpDeployment(clock, 'gRPC', {
      queryLimits: { queries: 1, queriesPerOrganization: 1, seconds: PATIENT_SECONDS },
      consumerLimits: { idleSeconds: idleSeconds },
    });
    const fleet = { deployment, clock, owner: await signInAsOwner(deployment) };
    const made = await newCapturer(fleet);
    await upload(made, made.partId, counting(0, 10));
    return new OneByOne(deployment, fleet, made);
  }

  /** Runs a query as another window would, with separate clients. */
  run(text: string, signal = new AbortController().signal, who = this.made): Rows {
    const transport = bearerTransport(this.deployment, who.token);
    const clients = clientsOver(connectedTransport(transport, this.deployment.url));
    const organizationId = who.organizationId as OrganizationId;
    const query = { organizationId, language: 'sql', text, recent: false } as const;
    return new WireQuerySource(clients).run(query, signal);
  }

  async count(text: string): Promise<number> {
    return countRows(this.run(text));
  }

  async assertFree(): Promise<void> {
    const start = performance.now();
    assert.equal(await this.count(SOON), 1);
    const waited = performance.now() - start;
    assert.ok(waited < SLACK_MS, `another query waited for ${waited} ms`);
  }

  async stop(): Promise<void> {
    await this.deployment.stop();
  }
}

async function countRows(rows: Rows): Promise<number> {
  let count = 0;
  for (let next = await rows.next(); next.done !== true; next = await rows.next()) {
    count += next.value.length;
  }
  return count;
}

async function catchFailure(rows: Rows): Promise<FleetError> {
  const failure = await countRows(rows).then(
    () => assert.fail('it was not ended'),
    (error: unknown) => error,
  );
  assert.ok(failure instanceof FleetError, String(failure));
  return failure;
}

describe('streams of rows with a limit of one running query', function () {
  this.timeout(STARTING_MS);
  let service: OneByOne;

  before(async () => {
    service = await OneByOne.start(PATIENT_SECONDS);
  });

  after(() => service.stop());

  it('release their slot when their client disconnects', async () => {
    const leave = new AbortController();
    const rows = service.run(ENDLESS_ROWS, leave.signal);
    await rows.next();
    leave.abort();
    await service.assertFree();
    assert.equal((await catchFailure(rows)).kind, 'canceled');
  });

  it('release their slot even if no row was sent yet', async () => {
    const leave = new AbortController();
    const waiting = catchFailure(service.run(ENDLESS_WORK, leave.signal));
    const others = service.assertFree();
    leave.abort();
    await others;
    assert.equal((await waiting).kind, 'canceled');
  });

  it('release their slot when their client stops reading early', async () => {
    const rows = service.run(ENDLESS_ROWS);
    await rows.next();
    await rows.return?.();
    await service.assertFree();
  });

  it('serve several windows one after the other', async () => {
    const texts = ['SELECT range FROM range(20000)', 'FROM readings', SOON];
    const counts = await Promise.all(texts.map((text) => service.count(text)));
    assert.deepEqual(counts, [20_000, 10, 1]);
  });

  it('end when the organization is deleted', async () => {
    const { fleet } = service;
    const gone = await newCapturer(fleet);
    await upload(gone, gone.partId, counting(0, 10));
    const rows = service.run('SELECT a.* FROM readings a, range(1000)', undefined, gone);
    await rows.next();
    await fleet.owner.deleteOrganization({ organizationId: gone.organizationId });
    await countRows(rows).catch((error: unknown) => {
      assert.ok(error instanceof FleetError && error.kind === 'notFound', String(error));
    });
    // Deleting the organization also deletes its keys.
    const rejection = await catchFailure(service.run('FROM readings', undefined, gone));
    assert.equal(rejection.kind, 'unauthenticated');
    await service.assertFree();
  });
});

describe('a stream of rows whose client stops reading for a long time', function () {
  this.timeout(STARTING_MS);

  it('releases its slot, and fails when the client continues to read', async () => {
    const service = await OneByOne.start(IMPATIENT_SECONDS);
    try {
      const rows = service.run(ENDLESS_ROWS);
      await rows.next();
      await service.assertFree();
      const failure = await catchFailure(rows);
      assert.match(failure.message, /client read no rows/);
      assert.equal(ConnectError.from(failure.cause).code, Code.DeadlineExceeded);
    } finally {
      await service.stop();
    }
  });
});
