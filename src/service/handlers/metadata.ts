import type { JsonObject } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';
import type { AppService } from '../../gen/viam/app/v1/app_pb';
import { checkJson, checkJsonSize } from '../config/jsonLimits';
import { invalid, notFound } from '../errors';
import { findMetadata, type MetadataTable, replaceMetadata } from '../store/metadata';
import type { HandlerDependencies } from './handlerSupport';

type MetadataOperations = Pick<
  ServiceImpl<typeof AppService>,
  | 'getOrganizationMetadata'
  | 'updateOrganizationMetadata'
  | 'getLocationMetadata'
  | 'updateLocationMetadata'
  | 'getRobotMetadata'
  | 'updateRobotMetadata'
  | 'getRobotPartMetadata'
  | 'updateRobotPartMetadata'
>;

const KIND_NAMES: Record<MetadataTable, string> = {
  organizations: 'organization',
  locations: 'location',
  machines: 'machine',
  parts: 'part',
};

/** User-defined metadata of organizations, locations, machines and parts (spec part 3). */
export function metadataHandlers({ store }: HandlerDependencies): MetadataOperations {
  return {
    getOrganizationMetadata: (request) => read('organizations', request.organizationId),
    updateOrganizationMetadata: (request) =>
      write('organizations', request.organizationId, request.data),
    getLocationMetadata: (request) => read('locations', request.locationId),
    updateLocationMetadata: (request) => write('locations', request.locationId, request.data),
    getRobotMetadata: (request) => read('machines', request.id),
    updateRobotMetadata: (request) => write('machines', request.id, request.data),
    getRobotPartMetadata: (request) => read('parts', request.id),
    updateRobotPartMetadata: (request) => write('parts', request.id, request.data),
  };

  async function read(table: MetadataTable, id: string): Promise<{ data: JsonObject }> {
    const json = await findMetadata(store, table, id);
    if (json === undefined) {
      throw notFound(KIND_NAMES[table], id);
    }
    return { data: JSON.parse(json) as JsonObject };
  }

  async function write(
    table: MetadataTable,
    id: string,
    data: JsonObject | undefined,
  ): Promise<Record<string, never>> {
    if (data === undefined) {
      throw invalid('data: is required; send an empty object to clear the metadata');
    }
    checkJson(data, 'data');
    const json = JSON.stringify(data);
    checkJsonSize(json, 'data');
    if (!(await replaceMetadata(store, table, id, json))) {
      throw notFound(KIND_NAMES[table], id);
    }
    return {};
  }
}
