import { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import type { ApiKey } from '../model/connection';
import { type FleetClients, withSignal } from '../api/fleetClients';
import { apiKeyFromWire, type ApiKeySummary, type Role, roleToWire } from '../model/access';
import { type ApiKeyId, apiKeyId, type MachineId, type OrganizationId } from '../model/ids';
import { inNameOrder } from '../model/resourceName';
import {
  findDifferences,
  invalidateOnNotFound,
  type ReadOptions,
  ResourceCache,
  type StoreChange,
  storeChange,
} from './resourceCache';

/** Change to API keys. `parents` contains the organizations whose keys changed. */
export type ApiKeyChange = StoreChange<ApiKeyId, OrganizationId>;

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
export class ApiKeyStore extends Disposable {
  private readonly lists = new ResourceCache<OrganizationId, readonly ApiKeySummary[]>();
  private readonly changed = this.register(new Emitter<ApiKeyChange>());
  readonly onDidChange = this.changed.event;

  constructor(private readonly clients: FleetClients) {
    super();
  }

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
      (before, after) => {
        const change = { ...findDifferences(before, after), parents: [organization] };
        this.changed.fire(storeChange(change));
      },
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
    const answer = await this.changing(organization, this.clients.app.rotateKey({ id }));
    this.fire({ parents: [organization] });
    return { id, secret: answer.key };
  }

  /** Creates another API key with the same roles. The service uses the current time as its name. */
  async duplicate(organization: OrganizationId, id: ApiKeyId): Promise<ApiKey> {
    const call = this.clients.app.createKeyFromExistingKeyAuthorizations({ id });
    const answer = await this.changing(organization, call);
    this.fire({ ids: [apiKeyId(answer.id)], parents: [organization] });
    return { id: answer.id, secret: answer.key };
  }

  /** Deletes an API key and its roles. Throws if the key is the last owner of an organization. */
  async delete(organization: OrganizationId, id: ApiKeyId): Promise<void> {
    await this.changing(organization, this.clients.app.deleteKey({ id }));
    this.fire({ removed: [id], parents: [organization] });
  }

  /** Handles changes made elsewhere to API keys in these organizations, or to the keys' roles. */
  changedIn(organizations: readonly OrganizationId[]): void {
    if (organizations.length > 0) this.fire({ parents: organizations });
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

  /** Clears the cache without notifying listeners. */
  clear(): void {
    this.lists.clear();
  }

  /** Clears the cache and notifies listeners so that they reload. */
  refresh(): void {
    this.clear();
    this.changed.fire(storeChange({ all: true }));
  }

  private changing<T>(organization: OrganizationId, call: Promise<T>): Promise<T> {
    return invalidateOnNotFound(call, () => this.fire({ parents: [organization] }));
  }

  private fire(change: Partial<ApiKeyChange>): void {
    for (const organization of change.parents ?? []) this.lists.invalidate(organization);
    this.changed.fire(storeChange(change));
  }
}
