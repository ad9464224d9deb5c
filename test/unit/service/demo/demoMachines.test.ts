import assert from 'node:assert/strict';
import { createClient } from '@connectrpc/connect';
import { systemClock } from '../../../../src/base/clock';
import { DataService, TagsFilterType } from '../../../../src/gen/viam/app/data/v1/data_pb';
import { OnlineState } from '../../../../src/gen/viam/app/v1/machine_pb';
import { type DataClient, signInTransport } from '../../../../src/service/demo/demoClient';
import { deleteOldCaptures } from '../../../../src/service/demo/demoMachines';
import { type OpenFleet, openFleet, readFleet } from '../../../support/loadedFleet';
import { waitUntil } from '../../../support/waitUntil';

/** Longer than usual, because the checks read the whole fleet. */
const POLLING = { pollMs: 50 };
const TIMEOUT_MS = 120_000;
const LATER_MS = 60_000;

describe('the machines of the demo fleet', function () {
  this.timeout(TIMEOUT_MS);
  let fleet: OpenFleet;
  let data: DataClient;

  before(async () => {
    fleet = await openFleet({ clock: systemClock, demo: true, demoIsAlive: true });
    const { apiKeyId: id, apiKey: key } = fleet.owner;
    data = createClient(DataService, await signInTransport(fleet.open, { id, key }));
  });

  after(async () => {
    await fleet.service.close();
  });

  const machine = async (name: string) =>
    (await readFleet(fleet.app)).machines.find((one) => one.name === name);

  const countLines = async (partName: string, filter: string): Promise<number> => {
    const part = (await readFleet(fleet.app)).parts.find(({ name }) => name === partName);
    return (await fleet.app.getRobotPartLogs({ id: part?.id ?? '', filter })).logs.length;
  };

  it('come online, except those that went offline long ago', async () => {
    await waitUntil(
      async () => (await machine('palletizer-1'))?.onlineState === OnlineState.ONLINE,
      POLLING,
    );
    assert.equal((await machine('amr-05'))?.onlineState, OnlineState.OFFLINE);
    assert.equal((await machine('amr-07'))?.onlineState, OnlineState.AWAITING_SETUP);
  });

  it('log, and restart on request', async () => {
    await waitUntil(async () => (await countLines('amr-01-main', 'started with')) === 1, POLLING);
    const part = (await readFleet(fleet.app)).parts.find(({ name }) => name === 'amr-01-main');
    await fleet.app.markPartForRestart({ partId: part?.id ?? '' });
    await waitUntil(async () => (await countLines('amr-01-main', 'started with')) === 2, POLLING);
  });

  it('capture their data again, and delete old captures that no one uses', async () => {
    const live = { tagsFilter: { type: TagsFilterType.MATCH_BY_OR, tags: ['live'] } };
    const found = async () =>
      (await data.binaryDataByFilter({ dataRequest: { filter: live }, includeBinary: false })).data;
    await waitUntil(async () => (await found()).length >= 2, POLLING);
    const listIds = async () => (await found()).map(({ metadata }) => metadata?.binaryDataId ?? '');
    const ids = await listIds();
    const [used = ''] = ids;
    await data.addTagsToBinaryDataByIDs({ binaryDataIds: [used], tags: ['for training'] });
    await deleteOldCaptures(data, new Date(Date.now() + LATER_MS), new AbortController().signal);
    // The machines can capture more at any time.
    const remaining = new Set(await listIds());
    assert.deepEqual(
      ids.filter((id) => remaining.has(id)),
      [used],
    );
  });
});
