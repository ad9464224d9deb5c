import assert from 'node:assert/strict';
import { create, type DescService } from '@bufbuild/protobuf';
import { requestValidator } from '../../src/core/validation/requestValidator';
import { AuthService } from '../../src/gen/proto/rpc/v1/auth_pb';
import { DataService } from '../../src/gen/viam/app/data/v1/data_pb';
import { DatasetService } from '../../src/gen/viam/app/dataset/v1/dataset_pb';
import { DataSyncService } from '../../src/gen/viam/app/datasync/v1/data_sync_pb';
import { MLTrainingService } from '../../src/gen/viam/app/mltraining/v1/ml_training_pb';
import { PackageService } from '../../src/gen/viam/app/packages/v1/packages_pb';
import { AppService } from '../../src/gen/viam/app/v1/app_pb';
import { RobotService } from '../../src/gen/viam/app/v1/robot_pb';

const SERVICES: readonly DescService[] = [
  AppService,
  AuthService,
  DataService,
  DatasetService,
  DataSyncService,
  MLTrainingService,
  PackageService,
  RobotService,
];

/** Methods whose request can be empty. */
const NOTHING_REQUIRED = [
  'BinaryDataByFilter',
  'BoundingBoxLabelsByFilter',
  'CreatePackage',
  'FileUpload',
  'ListOrganizations',
  'ListRegistryItems',
  'StreamingDataCaptureUpload',
  'TabularDataByFilter',
  'TagsByFilter',
  'UploadModuleFile',
];

describe('request rules', () => {
  const validator = requestValidator;

  it("state whether each method's request can be empty, and name a field", () => {
    const methods = SERVICES.flatMap((service) => service.methods);
    const empty = methods.filter(({ input }) => {
      const violations = validator.violations(input, create(input));
      for (const { field } of violations) {
        assert.ok(
          input.fields.some(({ name }) => name === field),
          `${input.typeName} has no field ${field}`,
        );
      }
      return violations.length === 0;
    });
    assert.deepEqual(empty.map(({ name }) => name).sort(), NOTHING_REQUIRED);
  });
});
