import { createClient } from '@connectrpc/connect';
import { DataService, Order } from '../src/gen/viam/app/data/v1/data_pb';
import { BenchFleet } from './support/benchFleet';
import { fillBinaryData, fillReadings } from './support/bulkData';
import { median, milliseconds, quickOrFull, report, runBenchmark } from './support/figures';

const ITEMS = quickOrFull(100_000, 1_000_000);
const PAGE = 50n;
/**
 * Number of rows per call while paging to the millionth row. The service allows no more than this.
 */
const STRIDE = 10_000n;
const ROUNDS = 41;
const WARM_UP_ROUNDS = 5;

interface Page {
  data: readonly unknown[];
  last: string;
}

type ReadPage = (last: string, limit: bigint) => Promise<Page>;

/** Reads pages up to the last one, and returns the cursor for the last page. */
async function walkToTheEnd(read: ReadPage): Promise<string> {
  let seen = 0n;
  let last = '';
  while (seen < BigInt(ITEMS) - STRIDE) {
    ({ last } = await read(last, STRIDE));
    seen += STRIDE;
  }
  ({ last } = await read(last, STRIDE - PAGE));
  return last;
}

async function compare(name: string, read: ReadPage): Promise<void> {
  const deep = await walkToTheEnd(read);
  const times: { first: number[]; deep: number[] } = { first: [], deep: [] };
  const timed = async (last: string): Promise<number> =>
    milliseconds(async () => {
      const { data } = await read(last, PAGE);
      if (data.length !== Number(PAGE)) throw new Error(`A page of ${name} has ${data.length}.`);
    });
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    const [first, last] = [await timed(''), await timed(deep)];
    if (round < 0) continue;
    times.first.push(first);
    times.deep.push(last);
  }
  report({
    name: `a page of ${PAGE} ${name} at the end of ${ITEMS}`,
    ratio: median(times.deep) / median(times.first),
    against: 'the first page in the same run',
    aim: '<= 2',
    milliseconds: Number(median(times.deep).toFixed(2)),
    firstPageMilliseconds: Number(median(times.first).toFixed(2)),
  });
}

/** Compares pages of a filter at the millionth row with the first page. Also measures counts. */
runBenchmark(async () => {
  await using fleet = await BenchFleet.start();
  await fleet.whileStopped(async () => {
    await fillReadings(fleet.databaseFile, fleet.part, ITEMS);
    await fillBinaryData(fleet.databaseFile, fleet.part, ITEMS);
  });
  const data = createClient(DataService, fleet.transport());
  const { headers } = fleet;
  const filter = { partId: fleet.part.part_id };
  const request = (last: string, limit: bigint) => ({
    dataRequest: { filter, last, limit, sortOrder: Order.ASCENDING },
  });
  await compare('readings', async (last, limit) =>
    data.tabularDataByFilter(request(last, limit), { headers }),
  );
  await compare('binary items', async (last, limit) =>
    data.binaryDataByFilter(request(last, limit), { headers }),
  );
});
