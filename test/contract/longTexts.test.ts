import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Code } from '@connectrpc/connect';
import { postgresForTests, type TestPostgres } from '../support/postgres';
import { TestClock } from '../support/testClock';
import { connectPart, type Deployment, signInAsOwner, startRouterDeployment } from './deployment';
import { assertRejected, newMachine, newOrganization } from './fleetFixture';

/** Timeout that includes the installation of a PostgreSQL server before its first use. */
const TIMEOUT_MS = 120_000;

describe('texts that PostgreSQL is unable to index', function () {
  this.timeout(TIMEOUT_MS);
  let postgres: TestPostgres;
  let deployment: Deployment;

  before(async () => {
    postgres = await postgresForTests();
    deployment = await startRouterDeployment(new TestClock(), await postgres.url());
  });
  after(async () => {
    await deployment.stop();
    await postgres.stop();
  });

  /** Returns a text that can't be compressed. */
  const createLongText = (): string => randomBytes(6_000).toString('base64');

  it('are rejected with an explanation in a config, and shortened in the level of a log line', async () => {
    const owner = await signInAsOwner(deployment);
    const { part } = await newMachine(owner, (await newOrganization(owner)).id);
    const { id, name } = part;
    const robotConfigJson = JSON.stringify({ fragments: [createLongText()] });
    await assertRejected(
      owner.updateRobotPart({ id, name, robotConfigJson }),
      Code.InvalidArgument,
      /too long: shorten it/,
    );
    const machine = await connectPart(deployment, part);
    const level = createLongText();
    await machine.log({
      id,
      logs: [
        { level, message: 'odd' },
        { level: 'info', message: 'even' },
      ],
    });
    const read = async (levels: string[]): Promise<string[]> =>
      (await owner.getRobotPartLogs({ id, levels })).logs.map(({ message }) => message);
    assert.deepEqual((await read([])).toSorted(), ['even', 'odd']);
    assert.deepEqual(await read([level]), ['odd']);
  });
});
