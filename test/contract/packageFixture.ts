import type { MessageInitShape } from '@bufbuild/protobuf';
import { type Client, createClient } from '@connectrpc/connect';
import {
  type CreatePackageResponse,
  type PackageInfoSchema,
  PackageService,
  PackageType,
} from '../../src/gen/viam/app/packages/v1/packages_pb';
import type { ModuleFileInfoSchema } from '../../src/gen/viam/app/v1/registry_pb';
import { type AppClient, appClient, bearerTransport, signInToken } from './deployment';
import { type Fleet, newOrganization } from './fleetFixture';
import { role, type RoleId } from './permissions/permissionRequests';

export type PackageClient = Client<typeof PackageService>;

/** A caller's clients for packages and registry items. */
export interface RegistryClients {
  token: string;
  app: AppClient;
  packages: PackageClient;
}

/** Returns the clients of a token's owner. */
export function createRegistryClients({ deployment }: Fleet, token: string): RegistryClients {
  return {
    token,
    app: appClient(deployment, token),
    packages: createClient(PackageService, bearerTransport(deployment, token)),
  };
}

/** Returns the clients for a new key with one role. */
export async function registryClientsWithRole(
  fleet: Fleet,
  roleId: RoleId,
  resourceId: string,
): Promise<RegistryClients> {
  const key = await fleet.owner.createKey({ authorizations: [role(roleId, resourceId)] });
  return createRegistryClients(fleet, await signInToken(fleet.deployment, key));
}

/** An organization with a module, and its owner. */
export interface Workshop extends RegistryClients {
  organizationId: string;
  moduleId: string;
}

export async function newWorkshop(fleet: Fleet): Promise<Workshop> {
  const { id: organizationId } = await newOrganization(fleet.owner);
  const clients = await registryClientsWithRole(fleet, 'organization_owner', organizationId);
  const { moduleId } = await clients.app.createModule({ organizationId, name: 'wheels' });
  return { ...clients, organizationId, moduleId };
}

const ARCHIVE = [Buffer.from('archive')];

/**
 * Uploads an archive of the workshop's module: version 1.0.0 for linux/amd64, unless `info`
 * specifies otherwise.
 */
export async function uploadModule(
  { app, moduleId }: Pick<Workshop, 'app' | 'moduleId'>,
  info: MessageInitShape<typeof ModuleFileInfoSchema> = {},
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array> = ARCHIVE,
): Promise<string> {
  async function* messages() {
    const value = { moduleId, version: '1.0.0', platform: 'linux/amd64', ...info };
    yield { moduleFile: { case: 'moduleFileInfo' as const, value } };
    for await (const file of chunks) {
      yield { moduleFile: { case: 'file' as const, value: file } };
    }
  }
  return (await app.uploadModuleFile(messages())).url;
}

/** Uploads a training script of the workshop: `learn` 1.0.0, unless `info` specifies otherwise. */
export async function uploadPackage(
  { packages, organizationId }: Pick<Workshop, 'packages' | 'organizationId'>,
  info: MessageInitShape<typeof PackageInfoSchema> = {},
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array> = ARCHIVE,
): Promise<CreatePackageResponse> {
  async function* messages() {
    const value = {
      organizationId,
      name: 'learn',
      version: '1.0.0',
      type: PackageType.ML_TRAINING,
      ...info,
    };
    yield { package: { case: 'info' as const, value } };
    for await (const contents of chunks) {
      yield { package: { case: 'contents' as const, value: contents } };
    }
  }
  return packages.createPackage(messages());
}
