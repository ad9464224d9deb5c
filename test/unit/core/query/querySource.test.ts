import assert from 'node:assert/strict';
import { Code, ConnectError, createRouterTransport, type ServiceImpl } from '@connectrpc/connect';
import { deserialize, type Document, serialize } from 'bson';
import { FleetError } from '../../../../src/core/api/errors';
import { clientsOver } from '../../../../src/core/api/fleetClients';
import { connectedTransport } from '../../../support/connectedTransport';
import type { OrganizationId } from '../../../../src/core/model/ids';
import type { FleetQuery } from '../../../../src/core/model/query';
import { QueryError } from '../../../../src/core/query/queryError';
import { WireQuerySource } from '../../../../src/core/query/querySource';
import { QueryService } from '../../../../src/gen/fleetwright/query/v1/query_pb';
import { DataService } from '../../../../src/gen/viam/app/data/v1/data_pb';

type Streaming = ServiceImpl<typeof QueryService>['streamTabularData'];

const SQL: FleetQuery = {
  organizationId: 'org' as OrganizationId,
  language: 'sql',
  text: 'SELECT 1',
  recent: false,
};
const NEVER = new AbortController().signal;

/**
 * Returns a source for a cloud that responds in one message and, if specified, also as a stream.
 */
function sourceOver(
  data: Partial<ServiceImpl<typeof DataService>>,
  streamTabularData?: Streaming,
): WireQuerySource {
  const transport = createRouterTransport((router) => {
    router.service(DataService, data);
    if (streamTabularData) router.service(QueryService, { streamTabularData });
  });
  return new WireQuerySource(clientsOver(connectedTransport(transport)));
}

async function readBatches(source: WireQuerySource, query = SQL): Promise<Document[][]> {
  const batches: Document[][] = [];
  for await (const batch of source.run(query, NEVER)) {
    batches.push(batch.map((document) => deserialize(document)));
  }
  return batches;
}

async function catchFailure(source: WireQuerySource, query = SQL): Promise<unknown> {
  return readBatches(source, query).then(
    () => assert.fail('it was answered'),
    (error: unknown) => error,
  );
}

const rows = (count: number): Uint8Array[] =>
  Array.from({ length: count }, (_, n) => serialize({ n }));

describe('a source of rows', () => {
  it('falls back to one message if a service has no streams, and remembers that', async () => {
    let streams = 0;
    const source = sourceOver({ tabularDataBySQL: () => ({ rawData: rows(1200) }) }, () => {
      streams += 1;
      throw new ConnectError('no such service', Code.Unimplemented);
    });
    for (let count = 0; count < 2; count += 1) {
      const batches = await readBatches(source);
      assert.ok(batches.length > 1);
      assert.deepEqual(
        batches.flat().map(({ n }) => n as number),
        rows(1200).map((_, n) => n),
      );
    }
    assert.equal(streams, 1);
    assert.deepEqual(await readBatches(sourceOver({ tabularDataBySQL: () => ({}) })), []);
  });

  it('reports that a service supports no queries, and tries again next time', async () => {
    let streams = 0;
    const source = sourceOver({}, () => {
      streams += 1;
      throw new ConnectError('not in this installation', Code.Unimplemented);
    });
    for (let count = 1; count < 3; count += 1) {
      const failure = await catchFailure(source);
      assert.ok(failure instanceof FleetError && failure.kind === 'unsupported');
      assert.equal(streams, count);
    }
  });

  it('requests recent data like public clients', async () => {
    const requests: unknown[] = [];
    const source = sourceOver({
      tabularDataByMQL: ({ dataSource, mqlBinary }) => {
        requests.push([dataSource?.type, mqlBinary.map((stage) => deserialize(stage))]);
        return {};
      },
    });
    const text = '[{"$limit": 5}]';
    await readBatches(source, { ...SQL, language: 'mql', text });
    await readBatches(source, { ...SQL, language: 'mql', text, recent: true });
    assert.deepEqual(requests, [
      [undefined, [{ $limit: 5 }]],
      [2, [{ $limit: 5 }]],
    ]);
  });

  it('parses the position of an error from the message', async () => {
    const source = sourceOver({
      tabularDataBySQL: () => {
        throw new ConnectError('no column x (line 1, column 8)', Code.InvalidArgument);
      },
    });
    const failure = await catchFailure(source, { ...SQL, text: 'SELECT xyz FROM readings' });
    assert.ok(failure instanceof QueryError);
    assert.deepEqual(failure.range, { start: 7, end: 10 });
    assert.match(failure.message, /^Couldn't run the query\. No column x/);
  });

  it('removes the line from the message if the position is known', async () => {
    const message = 'no column "x" (at ""x"", line 1, column 8).';
    const source = sourceOver({
      tabularDataBySQL: () => {
        throw new ConnectError(message, Code.InvalidArgument);
      },
    });
    const known = await catchFailure(source, { ...SQL, text: 'SELECT xyz FROM readings' });
    assert.match(String(known), /No column "x"\.$/);
    const unknown = await catchFailure(source, { ...SQL, text: '' });
    assert.ok(String(unknown).endsWith(message.slice(1)));
  });

  it('makes no call if a pipeline cannot be parsed', async () => {
    const failure = await catchFailure(sourceOver({}), { ...SQL, language: 'mql', text: '[{]' });
    assert.ok(failure instanceof QueryError && failure.range);
  });

  it('passes on an error after the first rows, and does not retry', async () => {
    let streams = 0;
    const source = sourceOver({}, async function* () {
      streams += 1;
      yield await Promise.resolve({ documents: serialize({ n: 1 }) });
      throw new ConnectError('not here', Code.Unauthenticated);
    });
    const failure = await catchFailure(source);
    assert.ok(failure instanceof FleetError && failure.kind === 'unauthenticated');
    assert.equal(streams, 1);
  });

  it('retries once if its token is rejected', async () => {
    let streams = 0;
    const source = sourceOver({}, async function* () {
      streams += 1;
      if (streams === 1) throw new ConnectError('the token is old', Code.Unauthenticated);
      yield await Promise.resolve({ documents: serialize({ n: 1 }) });
    });
    assert.deepEqual(await readBatches(source), [[{ n: 1 }]]);
  });

  it('ends the query with the iteration', async () => {
    const ended = Promise.withResolvers<undefined>();
    const source = sourceOver({}, async function* (_, { signal }) {
      signal.addEventListener('abort', () => ended.resolve(undefined));
      for (;;) yield await Promise.resolve({ documents: serialize({ n: 1 }) });
    });
    for await (const batch of source.run(SQL, NEVER)) {
      assert.equal(batch.length, 1);
      break;
    }
    await ended.promise;
  });
});
