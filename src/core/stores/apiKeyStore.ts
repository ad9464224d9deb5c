import type { ApiKey } from '../model/connection';
import { withSignal } from '../api/fleetClients';
import { apiKeyFromWire, type ApiKeySummary, type Role, roleToWire } from '../model/access';
import { type ApiKeyId, apiKeyId, type MachineId, type OrganizationId } from '../model/ids';
import { inNameOrder } from '../model/resourceName';
import { findDifferences, ListStore } from './listStore';
import type { ReadOptions } from './resourceCache';

export interface NewApiKey {
  /** Name of the API key; if it's empty, the service uses the current time. */
  readonly name: string;
  /** Roles of the API key; at least one, because the service rejects a key without roles. */
  readonly roles: readonly Role[];
}

/**
 * Organizations' API keys, with one list per organization. Only the responses of `create`,
 * `rotate`, and `duplicate` contain the key itself, which is never stored here. Methods throw
 * `FleetError`.
 */
export class ApiKeyStore extends ListStore<ApiKeySummary, OrganizationId> {
  /**
   * Returns the API keys that have a role on an organization or a resource in it, sorted by name.
   * Makes one call.
   */
  list(organization: OrganizationId, options: ReadOptions = {}): Promise<readonly ApiKeySummary[]> {
    return this.lists.getAndCompare(
      organization,
      async (signal) => {
        const answer = await this.clients.app.listKeys({ orgId: organization }, { signal });
        return inNameOrder(answer.apiKeys.map((wire) => apiKeyFromWire(wire, organization)));
      },
      options,
      (before, after) =>
        this.fireChange({ ...findDifferences(before, after), parents: [organization] }),
    );
  }

  /** Returns the API keys that have a role on the machine itself, without caching. */
  async listForMachine(
    organization: OrganizationId,
    machine: MachineId,
    signal?: AbortSignal,
  ): Promise<readonly ApiKeySummary[]> {
    const answer = await this.clients.app.getRobotAPIKeys({ robotId: machine }, withSignal(signal));
    return inNameOrder(answer.apiKeys.map((wire) => apiKeyFromWire(wire, organization)));
  }

  async create(organization: OrganizationId, { name, roles }: NewApiKey): Promise<ApiKey> {
    const answer = await this.clients.app.createKey({
      name,
      authorizations: roles.map((role) => roleToWire(organization, role, 'newApiKey')),
    });
    this.fire({ ids: [apiKeyId(answer.id)], parents: [organization] });
    return { id: answer.id, secret: answer.key };
  }

  /** Rotates an API key. When this resolves, the old secret and all tokens for it are invalid. */
  async rotate(organization: OrganizationId, id: ApiKeyId): Promise<ApiKey> {
    const answer = await this.sendChange(organization, this.clients.app.rotateKey({ id }));
    this.fire({ parents: [organization] });
    return { id, secret: answer.key };
  }

  /** Creates another API key with the same roles. The service uses the current time as its name. */
  async duplicate(organization: OrganizationId, id: ApiKeyId): Promise<ApiKey> {
    const call = this.clients.app.createKeyFromExistingKeyAuthorizations({ id });
    const answer = await this.sendChange(organization, call);
    this.fire({ ids: [apiKeyId(answer.id)], parents: [organization] });
    return { id: answer.id, secret: answer.key };
  }

  /** Deletes an API key and its roles. Throws if the key is the last owner of an organization. */
  async delete(organization: OrganizationId, id: ApiKeyId): Promise<void> {
    await this.sendChange(organization, this.clients.app.deleteKey({ id }));
    this.fire({ removed: [id], parents: [organization] });
  }

  /**
   * Handles the deletion of roles together with these resources, and the deletion of API keys
   * together with their last role.
   */
  removeOn(resourceIds: readonly string[]): void {
    const gone = new Set(resourceIds);
    const keys = [...this.lists.loaded()].flat();
    const affected = keys.filter(({ roles }) =>
      roles.some(({ resourceId }) => gone.has(resourceId)),
    );
    this.changedIn([...new Set(affected.map(({ organizationId }) => organizationId))]);
  }
}
