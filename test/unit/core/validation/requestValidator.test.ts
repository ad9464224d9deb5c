import assert from 'node:assert/strict';
import { create, type DescMessage, fromJson, type MessageInitShape } from '@bufbuild/protobuf';
import { requestValidator } from '../../../../src/core/validation/requestValidator';
import * as auth from '../../../../src/gen/proto/rpc/v1/auth_pb';
import * as data from '../../../../src/gen/viam/app/data/v1/data_pb';
import { CreateDatasetRequestSchema } from '../../../../src/gen/viam/app/dataset/v1/dataset_pb';
import * as sync from '../../../../src/gen/viam/app/datasync/v1/data_sync_pb';
import { SubmitTrainingJobRequestSchema } from '../../../../src/gen/viam/app/mltraining/v1/ml_training_pb';
import * as keys from '../../../../src/gen/viam/app/v1/api_key_pb';
import { AddRoleRequestSchema } from '../../../../src/gen/viam/app/v1/authorization_pb';
import * as fragment from '../../../../src/gen/viam/app/v1/fragment_pb';
import * as location from '../../../../src/gen/viam/app/v1/location_pb';
import { GetRobotPartLogsRequestSchema } from '../../../../src/gen/viam/app/v1/log_pb';
import * as machine from '../../../../src/gen/viam/app/v1/machine_pb';
import { UpdateRobotMetadataRequestSchema } from '../../../../src/gen/viam/app/v1/metadata_pb';
import * as organization from '../../../../src/gen/viam/app/v1/organization_pb';
import * as registry from '../../../../src/gen/viam/app/v1/registry_pb';

const OWNER = {
  authorizationType: 'role',
  authorizationId: 'location_owner',
  resourceType: 'location',
  resourceId: 'l1',
};
const NAMESPACE = 'may contain only lowercase letters, digits and dashes';
const UNIT = 'must be greater than or equal to 0 and less than or equal to 1';
const AT = { seconds: 1n, nanos: 0 };

describe('RequestValidator', () => {
  const validator = requestValidator;

  function itRejects<Desc extends DescMessage>(
    what: string,
    schema: Desc,
    init: MessageInitShape<Desc>,
    ...sentences: readonly string[]
  ): void {
    it(`rejects ${what}`, () => {
      assert.deepEqual(validator.validate(schema, create(schema, init)), sentences);
    });
  }

  function accepts<Desc extends DescMessage>(
    what: string,
    schema: Desc,
    init: MessageInitShape<Desc>,
  ): void {
    it(`accepts ${what}`, () => {
      assert.deepEqual(validator.validate(schema, create(schema, init)), []);
    });
  }

  describe('IDs and names', () => {
    itRejects(
      'an empty name and an empty ID, with the field names of the wire',
      CreateDatasetRequestSchema,
      {},
      'name: must not be empty',
      'organization_id: must not be empty',
    );
    itRejects(
      'an empty name of an organization that is set',
      organization.UpdateOrganizationRequestSchema,
      { organizationId: 'o1', name: '' },
      'name: must not be empty',
    );
    itRejects(
      'an ID without the name of its owner',
      registry.GetModuleRequestSchema,
      { moduleId: 'wheels' },
      'module_id: must be namespace:name or organization_id:name',
    );
    itRejects(
      'missing metadata',
      UpdateRobotMetadataRequestSchema,
      { id: 'm1' },
      'data: is required',
    );
    accepts('empty metadata', UpdateRobotMetadataRequestSchema, { id: 'm1', data: {} });
  });

  describe('lists', () => {
    itRejects(
      'an empty list of binary data IDs',
      data.BinaryDataByIDsRequestSchema,
      {},
      'binary_data_ids: must not be empty',
    );
    itRejects(
      'an empty ID in a list',
      data.DeleteBinaryDataByIDsRequestSchema,
      { binaryDataIds: ['b1', ''] },
      'binary_data_ids[1]: must not be empty',
    );
    it('accepts the deprecated form of IDs', () => {
      const schema = data.BinaryDataByIDsRequestSchema;
      const request = fromJson(schema, { binary_ids: [{ file_id: 'f1' }] });
      assert.deepEqual(validator.validate(schema, request), []);
    });
    itRejects(
      'an empty list of tags',
      data.AddTagsToBinaryDataByIDsRequestSchema,
      { binaryDataIds: ['b1'] },
      'tags: must not be empty',
    );
    itRejects(
      'an empty list of authorizations',
      keys.CreateKeyRequestSchema,
      { name: 'ci' },
      'authorizations: must not be empty',
    );
    itRejects(
      'an update of an invitation that neither adds nor removes roles',
      organization.UpdateOrganizationInviteAuthorizationsRequestSchema,
      { organizationId: 'o1', email: 'a@example.com' },
      'add_authorizations: give at least one role to add or remove',
    );
    itRejects(
      'a deletion by filter without an organization',
      data.DeleteBinaryDataByFilterRequestSchema,
      { filter: { partId: 'p1' } },
      'filter: organization_ids must name the organizations whose data is deleted',
    );
  });

  describe('values', () => {
    itRejects(
      'coordinates outside of the image, and NaN',
      data.AddBoundingBoxToImageByIDRequestSchema,
      {
        binaryDataId: 'b1',
        label: 'cat',
        xMinNormalized: -0.1,
        yMinNormalized: Number.NaN,
        xMaxNormalized: 1.1,
        yMaxNormalized: 1,
      },
      `x_min_normalized: ${UNIT}`,
      `y_min_normalized: ${UNIT}`,
      `x_max_normalized: ${UNIT}`,
    );
    for (const publicNamespace of ['Acme', 'acme_1', 'acme robots', 'acmé']) {
      itRejects(
        `the namespace ${publicNamespace}`,
        organization.GetOrganizationNamespaceAvailabilityRequestSchema,
        { publicNamespace },
        `public_namespace: ${NAMESPACE}`,
      );
    }
    accepts('a namespace', organization.UpdateOrganizationRequestSchema, {
      organizationId: 'o1',
      publicNamespace: 'acme-2',
    });
    itRejects(
      'an invalid email address',
      organization.CreateOrganizationInviteRequestSchema,
      { organizationId: 'o1', email: 'someone' },
      'email: must be a valid email address',
    );
    itRejects(
      'a negative page limit',
      fragment.GetFragmentHistoryRequestSchema,
      { id: 'f1', pageLimit: -1n },
      'page_limit: must be greater than or equal to 0',
    );
    itRejects(
      'a missing model type',
      SubmitTrainingJobRequestSchema,
      { datasetId: 'd', organizationId: 'o', modelName: 'm', modelVersion: '1', tags: ['cat'] },
      'model_type: is required',
    );
    it('rejects an enum value that the contract does not name', () => {
      const schema = fragment.CreateFragmentRequestSchema;
      const request = fromJson(schema, { name: 'f', organization_id: 'o', visibility: 9 });
      assert.deepEqual(validator.validate(schema, request), [
        'visibility: must be one of FRAGMENT_VISIBILITY_PRIVATE, FRAGMENT_VISIBILITY_PUBLIC, FRAGMENT_VISIBILITY_PUBLIC_UNLISTED',
      ]);
    });
    itRejects(
      'an unknown credentials type',
      auth.AuthenticateRequestSchema,
      { entity: 'k1', credentials: { type: 'password' } },
      'credentials.type: must be api-key, robot-secret or robot-location-secret',
    );
  });

  describe('roles', () => {
    itRejects(
      'too many roles for a new key',
      keys.CreateKeyRequestSchema,
      { authorizations: Array.from({ length: 101 }, () => OWNER) },
      'authorizations: must not have more than 100 items',
    );
    accepts('a role for a new key', keys.CreateKeyRequestSchema, { authorizations: [OWNER] });
    itRejects(
      'a role without an identity',
      AddRoleRequestSchema,
      { authorization: OWNER },
      'authorization: organization_id and identity_id must not be empty',
    );
    itRejects(
      'a role of another resource type, with the field in the list',
      keys.CreateKeyRequestSchema,
      { authorizations: [OWNER, { ...OWNER, resourceType: 'robot' }] },
      'authorizations[1].resource_type: must be the resource type that authorization_id begins with',
    );
    itRejects(
      'a role that the service does not have',
      keys.CreateKeyRequestSchema,
      { authorizations: [{ ...OWNER, authorizationId: 'location_viewer' }] },
      'authorizations[0].authorization_id: must be a resource type (organization, location or robot), an underscore and a role (owner or operator), such as location_operator',
    );
  });

  describe('contradictory fields', () => {
    itRejects(
      'a public fragment with private visibility',
      fragment.UpdateFragmentRequestSchema,
      { id: 'f', name: 'n', public: true, visibility: fragment.FragmentVisibility.PRIVATE },
      'visibility: contradicts public; give visibility alone',
    );
    accepts('both if they agree', fragment.UpdateFragmentRequestSchema, {
      id: 'f',
      name: 'n',
      public: false,
      visibility: fragment.FragmentVisibility.PRIVATE,
    });
    itRejects(
      'a range with both ends',
      GetRobotPartLogsRequestSchema,
      { id: 'p', range: '10m', start: AT, end: AT },
      'range: cannot be given together with both start and end',
    );
    accepts('a range with one end', GetRobotPartLogsRequestSchema, {
      id: 'p',
      range: '10m',
      start: AT,
    });
  });

  describe('default values of clients', () => {
    accepts('page size 0', data.BinaryDataByFilterRequestSchema, { dataRequest: { limit: 0n } });
    accepts('an empty page token', GetRobotPartLogsRequestSchema, { id: 'p', pageToken: '' });
    accepts('an empty name of a location', location.UpdateLocationRequestSchema, {
      locationId: 'l',
      name: '',
      parentLocationId: '',
    });
    accepts('an empty location of a machine', machine.UpdateRobotRequestSchema, {
      id: 'm',
      name: 'n',
    });
    accepts('an empty organization of a registry list', registry.ListRegistryItemsRequestSchema, {
      organizationId: '',
    });
    accepts('a chunk of a file', sync.FileUploadRequestSchema, {
      uploadPacket: { case: 'fileContents', value: { data: new Uint8Array(1) } },
    });
  });

  it('findProblem reports only problems of the requested field', () => {
    const request = create(machine.NewRobotRequestSchema, { name: 'rover' });
    const getProblem = (field: string): string | undefined =>
      validator.findProblem(machine.NewRobotRequestSchema, request, field);
    assert.equal(getProblem('name'), undefined);
    assert.equal(getProblem('location'), 'must not be empty');
  });
});
