import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import type { DescMethod, DescService } from '@bufbuild/protobuf';
import { DataService } from '../../../src/gen/viam/app/data/v1/data_pb';
import { DatasetService } from '../../../src/gen/viam/app/dataset/v1/dataset_pb';
import { DataSyncService } from '../../../src/gen/viam/app/datasync/v1/data_sync_pb';
import { MLTrainingService } from '../../../src/gen/viam/app/mltraining/v1/ml_training_pb';
import { AppService } from '../../../src/gen/viam/app/v1/app_pb';
import { commands } from '../../../src/manifest/commands';
import { AuthorizationTable } from '../../../src/service/auth/authorizationTable';
import facts from '../../contract/facts/wire.json';
import manifest from '../../../package.json';

const SERVICES: readonly DescService[] = [
  AppService,
  DataService,
  DatasetService,
  DataSyncService,
  MLTrainingService,
];
const NOT_SERVED = 'not served yet';
const NOT_IN_EDITOR = 'not in the editor yet';

interface Row {
  readonly number: number;
  readonly operation: string;
  readonly rpc: string;
  readonly handler: string;
  readonly test: string;
}

describe('docs/operations.md', () => {
  const rows = readRows();

  it('lists every operation once, with its RPC', () => {
    assert.deepEqual(
      rows.map(({ number, operation, rpc }) => [number, operation, rpc]),
      Object.entries(facts.operations).map(([operation, path], index) => [
        index + 1,
        operation,
        path.split('.').at(-1),
      ]),
    );
  });

  it('lists exactly the operations that the service does not support', () => {
    const table = new AuthorizationTable();
    for (const { rpc, handler } of rows) {
      assert.equal(handler === NOT_SERVED, table.ruleFor(findMethod(rpc)) === undefined, rpc);
    }
  });

  it('names existing commands and views, and at least one for each operation in the editor', () => {
    const known = new Set<string>([
      ...Object.keys(commands),
      ...manifest.contributes.views.fleetwright.map(({ id }) => id),
    ]);
    for (const { operation, handler } of rows) {
      const named = quotedIn(handler);
      const isThere = handler !== NOT_SERVED && handler !== NOT_IN_EDITOR;
      assert.equal(named.length > 0, isThere, `${operation} is found at: ${handler}`);
      assert.deepEqual(
        named.filter((id) => !known.has(id)),
        [],
        operation,
      );
    }
  });

  it('lists every operation that the client calls as in the editor', () => {
    const client = globSync(['src/core/**/*.ts', 'src/host/**/*.ts'])
      .map((path) => readFileSync(path, 'utf8'))
      .join('\n');
    const located = new Set(
      rows.filter(({ handler }) => handler !== NOT_IN_EDITOR).map(({ rpc }) => rpc),
    );
    const unplaced = rows.filter(
      // If two operations share an RPC, the editor might offer only one of them.
      ({ rpc }) => !located.has(rpc) && client.includes(`.${findMethod(rpc).localName}(`),
    );
    assert.deepEqual(
      unplaced.map(({ operation }) => operation),
      [],
    );
  });

  it('names existing tests, one of which calls the RPC', () => {
    for (const { operation, rpc, handler, test } of rows) {
      const files = quotedIn(test);
      assert.equal(files.length > 0, handler !== NOT_SERVED, `${operation} is tested by: ${test}`);
      for (const file of files) {
        assert.ok(existsSync(file), `${operation}: there is no ${file}`);
      }
      const call = new RegExp(`\\.${findMethod(rpc).localName}\\(`);
      assert.ok(
        files.length === 0 || files.some((file) => call.test(readFileSync(file, 'utf8'))),
        `${operation}: ${test} does not call ${rpc}`,
      );
    }
  });
});

function readRows(): Row[] {
  return readFileSync('docs/operations.md', 'utf8')
    .split('\n')
    .filter((line) => /^\| +\d/.test(line))
    .map((line) => {
      const [number = '', operation = '', rpc = '', handler = '', test = ''] = line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim());
      return { number: Number(number), operation, rpc: quotedIn(rpc).join(), handler, test };
    });
}

function quotedIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);
}

function findMethod(rpc: string): DescMethod {
  const [serviceName, name] = rpc.split('/');
  const service = SERVICES.find((candidate) => candidate.name === serviceName);
  const method = service?.methods.find((candidate) => candidate.name === name);
  assert.ok(method, `${rpc} is not in the contract`);
  return method;
}
