import assert from 'node:assert/strict';
import { connectionId, organizationId } from '../../../../../../src/core/model/ids';
import {
  describeFileRun,
  describeLostRun,
  type FileRun,
  parseFileRun,
} from '../../../../../../src/host/features/query/results/fileRun';

const run: FileRun = {
  uri: 'file:///a%20b/parts.fleet.sql',
  at: 1_790_000_000_000,
  target: {
    kind: 'organization',
    name: 'Acme',
    connectionId: connectionId('c'),
    organizationId: organizationId('o'),
  },
  query: {
    language: 'sql',
    text: 'SELECT :name AS name',
    recent: false,
    parameters: { name: "it's" },
    file: { name: 'parts.fleet.sql', firstLine: 2, lastLine: 2 },
  },
};

describe('runs of queries in files', () => {
  it('parseFileRun returns the run that describeFileRun described', () => {
    assert.deepEqual(parseFileRun(describeFileRun(run)), run);
  });

  it('parseFileRun returns undefined for descriptions of another form', () => {
    const stored = JSON.parse(describeFileRun(run)) as Record<string, unknown>;
    for (const other of [
      {},
      { ...stored, at: 'today' },
      { ...stored, query: { ...run.query, parameters: { name: 1 } } },
      { ...stored, organization: '{}' },
    ]) {
      assert.equal(parseFileRun(JSON.stringify(other)), undefined);
    }
    assert.equal(parseFileRun('no JSON'), undefined);
  });

  it('describeLostRun includes the statement with the values of its parameters', () => {
    assert.deepEqual(describeLostRun(run), {
      language: 'sql',
      statement: "SELECT 'it''s' AS name",
      organization: 'Acme',
      at: run.at,
      file: run.query.file,
    });
  });
});
