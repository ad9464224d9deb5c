import assert from 'node:assert/strict';
import { organizationId } from '../../../../src/core/model/ids';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';
import { TestSessions } from '../../../support/testSessions';

const MEBIBYTE = 1024 * 1024;

describe('the history of a config with large revisions', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;

  before(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
  });

  after(async () => {
    sessions.dispose();
    await fleet.close();
  });

  it('has pages of at most 8 MiB and loses no revision between them', async () => {
    const { fragments } = sessions.stores();
    const organization = organizationId(fleet.organizationId);
    const { id } = await fragments.create(organization, 'large');
    const describeRevision = (number: number): string =>
      JSON.stringify({ number, filling: 'x'.repeat(3 * MEBIBYTE) });
    const numbers = [1, 2, 3, 4, 5];
    for (const number of numbers) {
      await fragments.updateConfig(id, { name: 'large', configText: describeRevision(number) });
    }
    const pages: unknown[][] = [];
    let pageToken: string | undefined;
    do {
      const page = await fragments.history(id, { pageToken });
      pages.push(
        page.items.map(({ old }) => {
          const config = JSON.parse(old?.configText ?? '') as { number?: number };
          return config.number ?? 'created';
        }),
      );
      ({ nextPageToken: pageToken } = page);
    } while (pageToken);
    // The history doesn't contain the current revision, 5.
    assert.deepEqual(pages, [
      [4, 3],
      [2, 1, 'created'],
    ]);
  });
});
