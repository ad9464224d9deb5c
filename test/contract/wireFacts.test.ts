import assert from 'node:assert/strict';
import type { DescFile, DescMessage } from '@bufbuild/protobuf';
import { nestedTypes } from '@bufbuild/protobuf/reflect';
import { file_google_rpc_status } from '../../src/gen/google/rpc/status_pb';
import { file_proto_rpc_v1_auth } from '../../src/gen/proto/rpc/v1/auth_pb';
import { file_viam_app_data_v1_data } from '../../src/gen/viam/app/data/v1/data_pb';
import { file_viam_app_dataset_v1_dataset } from '../../src/gen/viam/app/dataset/v1/dataset_pb';
import { file_viam_app_datasync_v1_data_sync } from '../../src/gen/viam/app/datasync/v1/data_sync_pb';
import { file_viam_app_mltraining_v1_ml_training } from '../../src/gen/viam/app/mltraining/v1/ml_training_pb';
import { file_viam_app_packages_v1_packages } from '../../src/gen/viam/app/packages/v1/packages_pb';
import { file_viam_app_v1_app } from '../../src/gen/viam/app/v1/app_pb';
import { file_viam_app_v1_robot } from '../../src/gen/viam/app/v1/robot_pb';
import facts from './facts/wire.json';
import { enumLines, messageLines, methodLine, type WireFacts } from './facts/wireLines';

const WIRE: WireFacts = facts;

/** All files of the contract that no other file of the contract imports. */
const ROOTS = [
  file_google_rpc_status,
  file_proto_rpc_v1_auth,
  file_viam_app_data_v1_data,
  file_viam_app_dataset_v1_dataset,
  file_viam_app_datasync_v1_data_sync,
  file_viam_app_mltraining_v1_ml_training,
  file_viam_app_packages_v1_packages,
  file_viam_app_v1_app,
  file_viam_app_v1_robot,
];

/**
 * Packages that aren't part of the wire: the Protobuf library's types and the options for rules.
 */
const OTHER_PACKAGES = ['google.protobuf', 'buf.validate'];

type Lines = Readonly<Record<string, readonly string[]>>;

describe('wire facts', () => {
  const files = [...withDependencies(ROOTS)].filter(
    ({ proto }) => !OTHER_PACKAGES.includes(proto.package),
  );
  const types = files.flatMap((file) => [...nestedTypes(file)]);

  it('has the messages of the wire, field by field', () => {
    const messages = types.filter((type): type is DescMessage => type.kind === 'message');
    assertSame(byName(messages, messageLines), WIRE.messages);
  });

  it('has the enums of the wire, value by value', () => {
    assertSame(
      byName(
        types.filter((type) => type.kind === 'enum'),
        enumLines,
      ),
      WIRE.enums,
    );
  });

  it('has the methods of the wire: path, streaming, request and response', () => {
    const services = files.flatMap((file) => file.services);
    assertSame(
      byName(services, ({ methods }) => methods.map(methodLine)),
      WIRE.services,
    );
  });

  it('has an RPC for each of the 117 operations', () => {
    const rpcs = new Set(
      files.flatMap(({ services }) =>
        services.flatMap(({ typeName, methods }) =>
          methods.map((method) => `${typeName}/${method.name}`),
        ),
      ),
    );
    const operations = Object.entries(WIRE.operations);
    assert.equal(operations.length, 117);
    assert.deepEqual(
      operations.filter(([, rpc]) => !rpcs.has(rpc)),
      [],
    );
  });
});

function withDependencies(files: readonly DescFile[], found = new Set<DescFile>()): Set<DescFile> {
  for (const file of files) {
    if (found.has(file)) continue;
    found.add(file);
    withDependencies(file.dependencies, found);
  }
  return found;
}

function byName<T extends { readonly typeName: string }>(
  types: readonly T[],
  lines: (type: T) => string[],
): Lines {
  return Object.fromEntries(types.map((type) => [type.typeName, lines(type)]));
}

/** Fails with a message that lists each line that only one side has. */
function assertSame(ours: Lines, wire: Lines): void {
  const differences = [
    ...missing(ours, wire).map((line) => `only on the wire: ${line}`),
    ...missing(wire, ours).map((line) => `only in proto/: ${line}`),
  ];
  assert.equal(differences.length, 0, `\n${differences.sort().join('\n')}`);
  assert.equal(Object.keys(ours).length, Object.keys(wire).length);
}

/** Returns the lines that are in `there` but not in `here`, each with its type. */
function missing(here: Lines, there: Lines): string[] {
  return Object.entries(there).flatMap(([name, lines]) => {
    const known = here[name];
    if (!known) return [`${name} (all of it)`];
    return lines.filter((line) => !known.includes(line)).map((line) => `${name}: ${line}`);
  });
}
