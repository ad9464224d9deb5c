import { rejects } from 'node:assert/strict';
import { Code } from '@connectrpc/connect';
import type { DuckDBConnection } from '@duckdb/node-api';
import { Expressions } from '../../../../../../../src/service/query/process/pipeline/expressions';
import { planPipeline } from '../../../../../../../src/service/query/process/pipeline/pushdown/planPipeline';
import { readSelection } from '../../../../../../../src/service/query/process/pipeline/pushdown/readSelection';
import { throughStages } from '../../../../../../../src/service/query/process/pipeline/decodeStages';
import { createCollection } from '../runOn';
import { collect } from '../../../../../../../src/service/query/process/pipeline/document';

const GROUP = { name: '$group', spec: { _id: '$part_id' }, position: 1 };

/** Returns the error of a stage if DuckDB fails with the given message during reading. */
async function groupOver(failure: string): Promise<unknown> {
  const connection = { stream: () => Promise.reject(new Error(failure)) };
  const expressions = new Expressions();
  const { selection } = planPipeline([], { shape: 'JSON' }, expressions);
  const read = readSelection(connection as unknown as DuckDBConnection, selection);
  return collect(
    throughStages(
      [GROUP],
      expressions,
      createCollection(() => read),
    )(read),
  );
}

describe('a failed read of DuckDB', () => {
  it('is not reported as an error of the stage, and reveals no files', async () => {
    await rejects(groupOver('IO Error: cannot open "/var/lib/fleet/lake/acme/1.parquet"'), {
      code: Code.DataLoss,
      message: "files of the readings can't be read",
    });
  });

  it('is reported as ResourceExhausted if it needs too much memory', async () => {
    await rejects(groupOver('Out of Memory Error: failed to allocate 8 MiB'), {
      code: Code.ResourceExhausted,
      message: /exceeded the memory limit/,
    });
  });
});
