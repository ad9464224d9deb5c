import assert from 'node:assert/strict';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { Code } from '@connectrpc/connect';
import {
  type DataRequestSchema,
  type FilterSchema,
  Order,
  TagsFilterType,
} from '../../../src/gen/viam/app/data/v1/data_pb';
import { type DataClients, dataClientsWithRole } from '../dataFixture';
import { assertRejected, type FleetUnderTest, newOrganization } from '../fleetFixture';
import {
  type Capturer,
  capturerIn,
  counting,
  machineClients,
  newCapturer,
  second,
  upload,
} from './tabularFixture';

type FilterResponse = Awaited<ReturnType<DataClients['data']['tabularDataByFilter']>>;
type Filter = MessageInitShape<typeof FilterSchema>;

function getNumbers({ data }: FilterResponse): number[] {
  return data.map((row) => (row.data?.readings as { n: number }).n);
}

async function page(
  { data }: Pick<DataClients, 'data'>,
  dataRequest: MessageInitShape<typeof DataRequestSchema>,
): Promise<FilterResponse> {
  return data.tabularDataByFilter({ dataRequest });
}

export function tabularPageContract(fleet: FleetUnderTest): void {
  describe('pages of readings', () => {
    it('have 50 readings by default, newest first', async () => {
      const made = await newCapturer(fleet());
      await upload(made, made.partId, counting(0, 120));
      for (const dataRequest of [{}, { limit: 0n }, { sortOrder: Order.DESCENDING }]) {
        const answer = await page(made, dataRequest);
        assert.deepEqual(
          getNumbers(answer),
          Array.from({ length: 50 }, (_, index) => 119 - index),
        );
        assert.equal(answer.count, 120n);
        assert.ok(answer.last);
      }
      const oldest = await page(made, { sortOrder: Order.ASCENDING, limit: 3n });
      assert.deepEqual(getNumbers(oldest), [0, 1, 2]);
      const absent = await made.data.tabularDataByFilter({});
      assert.equal(absent.data.length, 50);
      await assertRejected(page(made, { last: 'nonsense' }), Code.InvalidArgument, /last/);
    });

    for (const sortOrder of [Order.ASCENDING, Order.DESCENDING]) {
      it(`neither skip nor repeat readings while data is added and deleted, ${Order[sortOrder]}`, async () => {
        const made = await newCapturer(fleet());
        const other = await capturerIn(fleet(), made.organizationId, 'other');
        const same = counting(0, 40).map((reading) => ({ ...reading, at: second(7) }));
        await upload(made, made.partId, same);
        await upload(other, other.partId, counting(40, 60));
        const seen: number[] = [];
        let last = '';
        for (let round = 0; ; round += 1) {
          const answer = await page(made, { limit: 7n, last, sortOrder });
          if (answer.data.length === 0) {
            assert.equal(answer.last, last);
            break;
          }
          ({ last } = answer);
          seen.push(...getNumbers(answer));
          if (round < 3) {
            const end = sortOrder === Order.ASCENDING ? -100 - round : 100 + round;
            await upload(made, made.partId, [
              { ...counting(99, 100)[0], at: second(end) },
            ] as never);
          }
        }
        const expected = Array.from({ length: 60 }, (_, n) => n);
        assert.deepEqual(
          seen.sort((a, b) => a - b),
          expected,
        );
      });
    }

    it('report the total number and bytes of the readings, or only those', async () => {
      const made = await newCapturer(fleet());
      await upload(made, made.partId, counting(0, 10));
      const [counted, listed] = [
        await made.data.tabularDataByFilter({ countOnly: true }),
        await page(made, { limit: 2n }),
      ];
      assert.deepEqual([counted.count, counted.data, counted.metadata], [10n, [], []]);
      assert.deepEqual([listed.count, listed.totalSizeBytes], [10n, counted.totalSizeBytes]);
      assert.equal(counted.totalSizeBytes, BigInt(10 * '{"readings":{"n":0}}'.length));
    });

    it('contain only what a filter selects', async () => {
      const made = await newCapturer(fleet(), 'one');
      const other = await capturerIn(fleet(), made.organizationId, 'two');
      await upload(made, made.partId, counting(0, 1), { tags: ['a', 'b'] });
      await upload(made, made.partId, counting(1, 2), { componentType: 'sensor', tags: [','] });
      await upload(made, made.partId, counting(2, 3), { componentName: 'gauge' });
      await upload(other, other.partId, counting(3, 4), { methodName: 'Other' });
      await upload(other, other.partId, counting(4, 5), { componentType: 'rdk:component:arm' });
      await upload(other, other.partId, counting(5, 6), { componentType: 'rdk:service:slam' });
      const cases: [Filter, number[]][] = [
        [{}, [0, 1, 2, 3, 4]],
        [{ componentName: 'gauge' }, [2]],
        [{ componentType: 'sensor' }, [0, 1, 2, 3]],
        [{ componentType: 'rdk:component:sensor' }, [0, 1, 2, 3]],
        [{ componentType: 'arm' }, [4]],
        [{ method: 'Other' }, [3]],
        [{ robotName: 'one' }, [0, 1, 2]],
        [{ robotId: other.machineId }, [3, 4]],
        [{ partName: 'two-main' }, [3, 4]],
        [{ partId: made.partId, componentName: 'thermometer' }, [0, 1]],
        [{ locationIds: [other.locationId, 'nothing'] }, [3, 4]],
        [{ organizationIds: [made.organizationId] }, [0, 1, 2, 3, 4]],
        [{ organizationIds: ['nothing'] }, []],
        [{ interval: { start: timestampFromDate(second(2)) } }, [2, 3, 4]],
        [{ interval: { end: timestampFromDate(second(2)) } }, [0, 1]],
        [{ interval: { start: { ...timestampFromDate(second(2)), nanos: 1 } } }, [3, 4]],
        [{ interval: { end: { ...timestampFromDate(second(2)), nanos: 1 } } }, [0, 1, 2]],
        [tags(TagsFilterType.MATCH_BY_OR, 'b', 'c'), [0]],
        [tags(TagsFilterType.MATCH_BY_OR, ','), [1]],
        [tags(TagsFilterType.MATCH_BY_OR, 'A'), []],
        [tags(TagsFilterType.TAGGED), [0, 1]],
        [tags(TagsFilterType.UNTAGGED), [2, 3, 4]],
        [{ mimeType: ['image/png'] }, []],
        [{ bboxLabels: ['cup'] }, []],
        [{ datasetId: 'nothing' }, []],
      ];
      for (const [index, [filter, numbers]] of cases.entries()) {
        const answer = await page(made, { filter, sortOrder: Order.ASCENDING });
        assert.deepEqual(getNumbers(answer), numbers, `case ${String(index)}`);
        assert.equal(answer.count, BigInt(numbers.length), `case ${String(index)}`);
      }
      const all = await made.data.tabularDataByFilter({ includeInternalData: true });
      assert.equal(all.count, 6n);
    });

    it('count readings over days exactly', async () => {
      const made = await newCapturer(fleet());
      const hours = Array.from({ length: 100 }, (_, n) => ({
        at: second(n * 3600 - 200_000),
        values: { readings: { n } },
      }));
      await upload(made, made.partId, hours);
      for (const [from, to] of [
        [0, 100],
        [3, 5],
        [7, 80],
        [31.5, 79.5],
        [55.5, 56],
      ] as const) {
        const interval = {
          start: timestampFromDate(second(from * 3600 - 200_000)),
          end: timestampFromDate(second(to * 3600 - 200_000)),
        };
        const { count, data, totalSizeBytes } = await page(made, {
          limit: 1000n,
          filter: { interval },
        });
        const expected = hours.filter(
          ({ values }) => values.readings.n >= from && values.readings.n < to,
        );
        assert.equal(data.length, expected.length);
        assert.equal(count, BigInt(expected.length));
        const bytes = expected.reduce((sum, { values }) => sum + JSON.stringify(values).length, 0);
        assert.equal(totalSizeBytes, BigInt(bytes));
      }
    });

    it('end before they exceed the size limit of a message, and continue after that', async () => {
      const made = await newCapturer(fleet());
      const text = 'x'.repeat(3_900_000);
      for (let n = 0; n < 3; n += 1) {
        await upload(made, made.partId, [{ at: second(n), values: { readings: { n }, text } }]);
      }
      const first = await page(made, { sortOrder: Order.ASCENDING });
      assert.deepEqual(getNumbers(first), [0, 1]);
      const { last } = first;
      assert.deepEqual(getNumbers(await page(made, { sortOrder: Order.ASCENDING, last })), [2]);
    });

    it('are in order with more sources than one merge reads', async () => {
      const made = await newCapturer(fleet());
      for (let n = 0; n < 120; n += 1) {
        await upload(made, made.partId, counting(n, n + 1), {
          componentName: `c${String(n % 110)}`,
        });
      }
      const first = await page(made, { sortOrder: Order.ASCENDING, limit: 60n });
      const { last } = first;
      const rest = await page(made, { sortOrder: Order.ASCENDING, limit: 100n, last });
      assert.deepEqual(
        [...getNumbers(first), ...getNumbers(rest)],
        Array.from({ length: 120 }, (_, n) => n),
      );
    });

    it('contain only what the caller can read', async () => {
      const made = await newCapturer(fleet(), 'one');
      const other = await capturerIn(fleet(), made.organizationId, 'two');
      await upload(made, made.partId, counting(0, 1));
      await upload(other, other.partId, counting(1, 2));
      const seenWith = async (
        ...roleArgs: Parameters<typeof dataClientsWithRole> extends [unknown, ...infer R]
          ? R
          : never
      ) => getNumbers(await page(await dataClientsWithRole(fleet(), ...roleArgs), {}));
      assert.deepEqual(await seenWith('organization_operator', made.organizationId), [1, 0]);
      assert.deepEqual(await seenWith('location_operator', made.locationId), [0]);
      assert.deepEqual(await seenWith('robot_operator', other.machineId), [1]);
      const stranger: Capturer = await newCapturer(fleet());
      const request = { filter: { organizationIds: [made.organizationId] } };
      assert.deepEqual(getNumbers(await page(stranger, request)), []);
      const machine = await machineClients(fleet(), made);
      await assertRejected(page(machine, {}), Code.PermissionDenied);

      const guests = await newOrganization(fleet().owner, 'Guests');
      const guest = await dataClientsWithRole(fleet(), 'organization_operator', guests.id);
      assert.deepEqual(getNumbers(await page(guest, {})), []);
      const { locationId } = other;
      await fleet().owner.shareLocation({ locationId, organizationId: guests.id });
      assert.deepEqual(getNumbers(await page(guest, {})), [1]);
    });
  });
}

function tags(type: TagsFilterType, ...list: string[]): Filter {
  return { tagsFilter: { type, tags: list } };
}
