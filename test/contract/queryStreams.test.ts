import assert from 'node:assert/strict';
import { Code, ConnectError } from '@connectrpc/connect';
import { FleetError } from '../../src/core/api/errors';
import { clientsOver } from '../../src/core/api/fleetClients';
import { fleetErrorTransport } from '../../src/core/api/fleetErrorTransport';
import type { OrganizationId } from '../../src/core/model/ids';
import { type QuerySource, WireQuerySource } from '../../src/core/query/querySource';
import { TestClock } from '../support/testClock';
import { type Capturer, counting, newCapturer, upload } from './cases/tabularFixture';
import { bearerTransport, type Deployment, signInAsOwner, startHttpDeployment } from './deployment';
import type { Fleet } from './fleetFixture';

const STARTING_MS = 60_000;
const UNTAKEN_SECONDS = 0.5;
/** How long a place may stay taken by a query whose reader is gone, on a machine that does much else. */
const SLACK_MS = 5_000;
/** Far more than pipes and windows hold. */
const ENDLESS_ROWS = "SELECT a.range, repeat('x', 500) FROM range(100000) a, range(100000) b";
const ENDLESS_WORK = 'SELECT count(*) FROM range(1000000000000) WHERE hash(range) = 1';
const SOON = 'SELECT 1 AS x';

describe('streams of rows, where one query runs at a time', function () {
  this.timeout(STARTING_MS);
  let deployment: Deployment;
  let fleet: Fleet;
  let made: Capturer;

  before(async () => {
    const clock = new TestClock();
    deployment = await startHttpDeployment(clock, 'gRPC', {
      queryLimits: { queries: 1, queriesOfOne: 1, seconds: 30 },
      takingLimits: { untakenSeconds: UNTAKEN_SECONDS },
    });
    fleet = { deployment, clock, owner: await signInAsOwner(deployment) };
    made = await newCapturer(fleet);
    await upload(made, made.partId, counting(0, 10));
    await count(SOON);
  });

  after(() => deployment.stop());

  /** As each window has its own. */
  function newSource({ token }: Capturer): QuerySource {
    const transport = bearerTransport(deployment, token);
    return new WireQuerySource(clientsOver(fleetErrorTransport(transport, deployment.url)));
  }

  function run(text: string, signal = new AbortController().signal, who = made) {
    const organizationId = who.organizationId as OrganizationId;
    const query = { organizationId, language: 'sql', text, recent: false } as const;
    return newSource(who).run(query, signal)[Symbol.asyncIterator]();
  }

  async function count(text: string, who = made): Promise<number> {
    let rows = 0;
    const batches = run(text, undefined, who);
    for (let next = await batches.next(); next.done !== true; next = await batches.next()) {
      rows += next.value.length;
    }
    return rows;
  }

  /** How long another query waits for its answer. */
  async function waitOfOthers(): Promise<number> {
    const start = performance.now();
    assert.equal(await count(SOON), 1);
    return performance.now() - start;
  }

  async function failureOf(rows: AsyncIterator<unknown>): Promise<FleetError> {
    for (;;) {
      const next = await rows.next().catch((error: unknown) => error);
      if (next instanceof Error) {
        assert.ok(next instanceof FleetError, String(next));
        return next;
      }
      assert.notEqual((next as IteratorResult<unknown>).done, true, 'it was not ended');
    }
  }

  it('free the place at once when their reader goes away', async () => {
    const leave = new AbortController();
    const rows = run(ENDLESS_ROWS, leave.signal);
    await rows.next();
    leave.abort();
    assert.ok((await waitOfOthers()) < SLACK_MS);
    assert.equal((await failureOf(rows)).kind, 'cancelled');
  });

  it('free it also when no row came yet', async () => {
    const leave = new AbortController();
    const waiting = failureOf(run(ENDLESS_WORK, leave.signal));
    const others = waitOfOthers();
    leave.abort();
    assert.ok((await others) < SLACK_MS);
    assert.equal((await waiting).kind, 'cancelled');
  });

  it('free it when their reader takes what it wanted and no more', async () => {
    const rows = run(ENDLESS_ROWS);
    await rows.next();
    await rows.return?.();
    assert.ok((await waitOfOthers()) < SLACK_MS);
  });

  it('free it when their reader takes nothing for long, and tell it when it is back', async () => {
    const rows = run(ENDLESS_ROWS);
    await rows.next();
    assert.ok((await waitOfOthers()) < UNTAKEN_SECONDS * 1000 + SLACK_MS);
    const failure = await failureOf(rows);
    assert.match(failure.message, /nobody took its rows/);
    assert.equal(ConnectError.from(failure.cause).code, Code.DeadlineExceeded);
  });

  it('answer two windows one after the other', async () => {
    const texts = ['SELECT range FROM range(20000)', 'FROM readings', SOON];
    assert.deepEqual(await Promise.all(texts.map((text) => count(text))), [20_000, 10, 1]);
  });

  it('end when the organization is deleted', async () => {
    const gone = await newCapturer(fleet);
    await upload(gone, gone.partId, counting(0, 10));
    const rows = run('SELECT a.* FROM readings a, range(1000)', undefined, gone);
    await rows.next();
    await fleet.owner.deleteOrganization({ organizationId: gone.organizationId });
    const all = async (): Promise<void> => {
      while ((await rows.next()).done !== true);
    };
    await all().catch((error: unknown) => {
      assert.ok(error instanceof FleetError && error.kind === 'notFound', String(error));
    });
    // Its keys are gone with it.
    const refused = await failureOf(run('FROM readings', undefined, gone));
    assert.equal(refused.kind, 'unauthenticated');
    assert.ok((await waitOfOthers()) < SLACK_MS);
  });
});
