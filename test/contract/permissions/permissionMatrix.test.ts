import assert from 'node:assert/strict';
import type { DescMethod, DescService } from '@bufbuild/protobuf';
import { AppService } from '../../../src/gen/viam/app/v1/app_pb';
import { DataService } from '../../../src/gen/viam/app/data/v1/data_pb';
import { DatasetService } from '../../../src/gen/viam/app/dataset/v1/dataset_pb';
import { DataSyncService } from '../../../src/gen/viam/app/datasync/v1/data_sync_pb';
import { QueryService } from '../../../src/gen/fleetwright/query/v1/query_pb';
import { RolloutService } from '../../../src/gen/fleetwright/rollout/v1/rollout_pb';
import { MLTrainingService } from '../../../src/gen/viam/app/mltraining/v1/ml_training_pb';
import { PackageService } from '../../../src/gen/viam/app/packages/v1/packages_pb';
import { TestClock } from '../../support/testClock';
import { signInAsOwner, startRouterDeployment } from '../deployment';
import facts from '../facts/wire.json';
import type { Fleet } from '../fleetFixture';
import { callMethod, isRead, type PermissionOutcome, createTransport } from './permissionCall';
import { newPermissionFleet, type PermissionFleet, SECRET_WORD } from './permissionFleet';
import { type Caller, CALLERS, permissionRows } from './permissionMatrix';
import { absentLike, type Resources } from './permissionResources';

const SERVICES: readonly DescService[] = [
  AppService,
  DataService,
  DatasetService,
  DataSyncService,
  MLTrainingService,
  PackageService,
  QueryService,
  RolloutService,
];
const ROW_MS = 90_000;
/** Outcomes of calls that might have changed a fleet. */
const ALLOWED = ['ok', 'empty'];
/** Outcomes that must be the same whether or not the resource exists. */
const BLIND = ['unauthenticated', 'notFound', 'unimplemented'];

describe('permission matrix', () => {
  let fleet: Fleet;
  let shared: PermissionFleet;

  before(async () => {
    const clock = new TestClock();
    const deployment = await startRouterDeployment(clock);
    fleet = { deployment, clock, owner: await signInAsOwner(deployment) };
    shared = await newPermissionFleet(fleet);
  });

  after(() => fleet.deployment.stop());

  it("has a row for every operation, including packages, job logs, and Fleetwright's own RPCs", () => {
    const expected = new Set([
      ...Object.values(facts.operations).map((path) => path.split('.').at(-1)),
      ...[MLTrainingService, PackageService, QueryService, RolloutService].flatMap(
        ({ name: service, methods }) => methods.map(({ name }) => `${service}/${name}`),
      ),
      'AppService/ListMachineSummaries',
    ]);
    assert.deepEqual(
      permissionRows()
        .map(({ rpc }) => rpc)
        .sort(),
      [...expected].sort(),
    );
  });

  for (const { rpc, outcomes } of permissionRows()) {
    it(rpc, async function () {
      this.timeout(ROW_MS);
      const method = findMethod(rpc);
      const seen: Partial<Record<Caller, string>> = {};
      for (const caller of CALLERS) {
        const changes = ALLOWED.includes(outcomes[caller]) && !isRead(method);
        const made = changes ? await newPermissionFleet(fleet) : shared;
        const transport = await createTransport(fleet, made, caller);
        const outcome = await callMethod(transport, method, made.resources);
        seen[caller] = outcome.word;
        const message = outcome.error?.rawMessage ?? '';
        assert.ok(!message.includes(SECRET_WORD), `the refusal to ${caller} tells: ${message}`);
        if (BLIND.includes(outcome.word)) {
          const absent = absentLike(made.resources);
          assert.deepEqual(
            describeRejection(await callMethod(transport, method, absent), absent),
            describeRejection(outcome, made.resources),
            `the refusal to ${caller} tells what exists`,
          );
        }
      }
      assert.deepEqual(seen, outcomes);
    });
  }
});

function findMethod(rpc: string): DescMethod {
  const [serviceName = '', name = ''] = rpc.split('/');
  const service = SERVICES.find((candidate) => candidate.name === serviceName);
  const method = service?.methods.find((candidate) => candidate.name === name);
  assert.ok(method, `${rpc} is not in the contract`);
  return method;
}

/** Returns an error in which IDs are replaced with the names of the requested resources. */
function describeRejection({ word, error }: PermissionOutcome, resources: Resources): string[] {
  const byLength = Object.entries<string>({ ...resources }).sort(
    ([, left], [, right]) => right.length - left.length,
  );
  const message = byLength.reduce(
    (text, [key, id]) => text.replaceAll(id, `<${key}>`),
    error?.rawMessage ?? '',
  );
  return [word, message];
}
