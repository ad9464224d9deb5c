import assert from 'node:assert/strict';
import { createClient } from '@connectrpc/connect';
import { AppService } from '../../../src/gen/viam/app/v1/app_pb';
import { Link } from '../../chaos/link';
import { ReplicatedPostgres } from '../../support/replicatedPostgres';
import { RunningService } from '../../support/runningService';
import { ServiceProgram } from '../../support/serviceProgram';
import { waitUntil } from '../../support/waitUntil';

const TIMEOUT_MS = 120_000;
const WRITES = 20;

describe('a failover of the database', function () {
  this.timeout(TIMEOUT_MS);

  it('loses no acknowledged write, and the service continues with the new primary', async () => {
    using database = await ReplicatedPostgres.start();
    await using link = await Link.toUrl(database.url);
    await using program = await ServiceProgram.build();
    const options = ['--data', program.path(), '--database-url', link.rewrite(database.url)];
    const service = await RunningService.of(program.serve(...options));
    const { organizationId } = service.key;
    const app = createClient(AppService, service.transport);
    const acknowledged: string[] = [];
    let [sent, isOver] = [0, false];
    const write = async (): Promise<void> => {
      while (!isOver) {
        sent += 1;
        const name = `hall ${String(sent)}`;
        // It is unknown whether a call succeeded that failed during the failover.
        await app.createLocation({ organizationId, name }).then(
          () => acknowledged.push(name),
          () => undefined,
        );
      }
    };
    const writers = [write(), write()];
    await waitUntil(() => acknowledged.length > WRITES);
    await database.failOver();
    link.redirect(database.url);
    const before = acknowledged.length;
    await waitUntil(() => acknowledged.length > before + WRITES);
    isOver = true;
    await Promise.all(writers);
    const { locations } = await app.listLocations({ organizationId });
    const names = locations.map(({ name }) => name);
    assert.equal(new Set(names).size, names.length, 'a location is there twice');
    assert.deepEqual(
      acknowledged.filter((name) => !names.includes(name)),
      [],
    );
    await service.stop();
  });
});
