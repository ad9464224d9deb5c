import { create, type DescMessage, type JsonObject, type MessageShape } from '@bufbuild/protobuf';
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import { sql } from 'kysely';
import type { AppService } from '../../gen/viam/app/v1/app_pb';
import {
  GetLocationMetadataResponseSchema,
  GetOrganizationMetadataResponseSchema,
  GetRobotMetadataResponseSchema,
  GetRobotPartMetadataResponseSchema,
} from '../../gen/viam/app/v1/metadata_pb';
import { checkJsonInSteps, checkJsonSize } from '../config/jsonLimits';
import { invalid, notFound } from '../errors';
import { isLargeStruct } from '../messages/structField';
import { hasLargeTexts, type StoreAccess } from '../store/store';
import { describeConfig } from './describeConfigs';
import { type HandlerDependencies, toLargeCall } from './handlerSupport';

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

/**
 * Handlers for user-defined metadata of organizations, locations, machines, and parts (spec part
 * 3).
 */
export function metadataHandlers(dependencies: HandlerDependencies): MetadataOperations {
  const { store, documentWork } = dependencies;
  return {
    getOrganizationMetadata: (request, context) =>
      read('organizations', request.organizationId, GetOrganizationMetadataResponseSchema, context),
    updateOrganizationMetadata: (request, context) =>
      write('organizations', request.organizationId, request.data, context),
    getLocationMetadata: (request, context) =>
      read('locations', request.locationId, GetLocationMetadataResponseSchema, context),
    updateLocationMetadata: (request, context) =>
      write('locations', request.locationId, request.data, context),
    getRobotMetadata: (request, context) =>
      read('machines', request.id, GetRobotMetadataResponseSchema, context),
    updateRobotMetadata: (request, context) => write('machines', request.id, request.data, context),
    getRobotPartMetadata: (request, context) =>
      read('parts', request.id, GetRobotPartMetadataResponseSchema, context),
    updateRobotPartMetadata: (request, context) =>
      write('parts', request.id, request.data, context),
  };

  async function read<Answer extends DescMessage>(
    table: MetadataTable,
    id: string,
    answer: Answer,
    context: HandlerContext,
  ): Promise<MessageShape<Answer>> {
    const isLarge = await hasLargeTexts(store, { table, column: 'metadata', id });
    return documentWork.runSized(isLarge, toLargeCall(context), async () => {
      const json = await findMetadata(store, table, id);
      if (json === undefined) throw notFound(KIND_NAMES[table], id);
      return describeConfig(dependencies, context, json, {
        getLength: ({ length }) => length,
        describe: (text) => Object.assign(create(answer), { data: JSON.parse(text) as JsonObject }),
        listStructs: (message) => answer.fields.map((field) => [message, field]),
      });
    });
  }

  async function write(
    table: MetadataTable,
    id: string,
    data: JsonObject | undefined,
    context: HandlerContext,
  ): Promise<Record<string, never>> {
    if (data === undefined) {
      throw invalid('data: is required; send an empty object to clear the metadata');
    }
    const isLarge = isLargeStruct(data);
    return documentWork.runSized(isLarge, toLargeCall(context), async (run) => {
      await run(checkJsonInSteps(data, 'data'));
      if (isLarge) await documentWork.waitForTurn(context.signal);
      const json = JSON.stringify(data);
      checkJsonSize(json, 'data');
      if (!(await replaceMetadata(store, table, id, json))) throw notFound(KIND_NAMES[table], id);
      return {};
    });
  }
}

/** Tables of resources with user-defined metadata. */
type MetadataTable = 'organizations' | 'locations' | 'machines' | 'parts';

/** Returns a resource's metadata as JSON text; undefined if the resource doesn't exist. */
async function findMetadata(
  access: StoreAccess,
  table: MetadataTable,
  id: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ metadata: string }>`
    select metadata from ${sql.table(table)} where id = ${id}`.execute(access);
  return rows[0]?.metadata;
}

/** Replaces a resource's metadata. Returns false if the resource doesn't exist. */
async function replaceMetadata(
  access: StoreAccess,
  table: MetadataTable,
  id: string,
  json: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set metadata = ${json} where id = ${id}`.execute(access);
  return numAffectedRows === 1n;
}
