import assert from 'node:assert/strict';
import { Code } from '@connectrpc/connect';
import { describeFailedCall, formatFailedCall } from '../../../../src/core/api/failedCall';
import { englishLocalizer } from '../../../../src/base/localizer';
import { QueryService } from '../../../../src/gen/fleetwright/query/v1/query_pb';
import { RolloutService } from '../../../../src/gen/fleetwright/rollout/v1/rollout_pb';
import { AuthService } from '../../../../src/gen/proto/rpc/v1/auth_pb';
import { DataService } from '../../../../src/gen/viam/app/data/v1/data_pb';
import { DatasetService } from '../../../../src/gen/viam/app/dataset/v1/dataset_pb';
import { DataSyncService } from '../../../../src/gen/viam/app/datasync/v1/data_sync_pb';
import { MLTrainingService } from '../../../../src/gen/viam/app/mltraining/v1/ml_training_pb';
import { PackageService } from '../../../../src/gen/viam/app/packages/v1/packages_pb';
import { AppService } from '../../../../src/gen/viam/app/v1/app_pb';

describe('formatFailedCall', () => {
  const services = [
    ...[AppService, AuthService, DataService, DatasetService, DataSyncService],
    ...[MLTrainingService, PackageService, QueryService, RolloutService],
  ];
  // Methods that the extension doesn't call.
  const uncalled = new Set(['GetAppContent']);

  for (const { name, methods } of services) {
    it(`has a sentence for each call of ${name}`, () => {
      for (const method of methods) {
        if (uncalled.has(method.name)) continue;
        const sentence = describeFailedCall(method.name, englishLocalizer);
        assert.match(sentence, /^Couldn't [a-z].*\.$/, method.name);
      }
    });
  }

  it('includes the reason of the service as a sentence if only the service knows it', () => {
    const format = (code: Code, reason: string): string =>
      formatFailedCall('DeleteRobotPart', code, reason, englishLocalizer);
    assert.equal(
      format(Code.FailedPrecondition, 'the main part cannot be deleted'),
      "Couldn't delete the part. The main part cannot be deleted.",
    );
    assert.equal(
      format(Code.InvalidArgument, 'config.components[0]: must be an object'),
      "Couldn't delete the part. config.components[0]: must be an object.",
    );
    assert.equal(
      format(Code.InvalidArgument, 'fragment_ids: must not be empty'),
      "Couldn't delete the part. Fragment IDs: must not be empty.",
    );
    assert.equal(
      format(Code.Unavailable, 'HTTP 503'),
      "Couldn't delete the part. The service is not available right now. Try again later.",
    );
  });

  it('never shows the message of an internal error', () => {
    const message = formatFailedCall('GetRobot', Code.Internal, 'secret stack', englishLocalizer);
    assert.ok(!message.includes('secret'), message);
  });
});
