import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type PackageService,
  PackageType,
} from '../../../src/gen/viam/app/packages/v1/packages_pb';
import type { Resources } from './permissionResources';

type Methods = typeof PackageService.method;
type Requests = {
  readonly [Name in keyof Methods]: (
    resources: Resources,
  ) => MessageInitShape<Methods[Name]['input']>;
};

const NEW = 'new-name';
const version = ({ packageId, packageVersion }: Resources) => ({
  id: packageId,
  version: packageVersion,
});

/** One valid request for every RPC on packages; for the stream, the first message. */
export const PACKAGE_REQUESTS: Requests = {
  createPackage: ({ organizationId }) => ({
    package: {
      case: 'info',
      value: { organizationId, name: NEW, version: '1.0.0', type: PackageType.ML_TRAINING },
    },
  }),
  getPackage: version,
  listPackages: ({ organizationId }) => ({ organizationId }),
  deletePackage: version,
};
