import { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import type { ApiKey } from '../api/apiKey';
import { withSignal } from '../api/calls';
import type { LoadClients } from '../api/fleetClients';
import { type Role, roleToWire } from '../model/access';
import { apiKeyFromWire, type ApiKeySummary } from '../model/apiKeySummary';
import { type ApiKeyId, apiKeyId, type MachineId, type OrganizationId } from '../model/ids';
import { inNameOrder } from '../model/nameOrder';
import { ResourceCache } from './resourceCache';
import { type ReadOptions, type StoreChange, storeChange } from './storeChange';
import { invalidateOnNotFound } from './invalidateOnNotFound';

/** Its parents are the organizations whose keys changed. */
export type ApiKeyChange = StoreChange<ApiKeyId, OrganizationId>;

export interface NewApiKey {
  /** If empty, the service uses the current time. */
  readonly name: string;
  /** At least one, because the service rejects a key without roles. */
  readonly roles: readonly Role[];
}

/**
 * API keys of organizations, one list each. Only the responses of `create`, `rotate`, and
 * `duplicate` contain a key itself: it is never stored here. Calls throw `FleetError`.
 */
export class ApiKeyStore extends Disposable {
  private readonly lists = new ResourceCache<OrganizationId, readonly ApiKeySummary[]>();
  private readonly changed = this.register(new Emitter<ApiKeyChange>());
  readonly onDidChange = this.changed.event;

  constructor(private readonly clients: LoadClients) {
    super();
  }

  /**
   * Returns the keys with a role on an organization or a resource in it, by name, with one call.
   */
  list(organization: OrganizationId, options: ReadOptions = {}): Promise<readonly ApiKeySummary[]> {
    return this.lists.get(
      organization,
      async (signal) => {
        const { app } = await this.clients();
        const answer = await app.listKeys({ orgId: organization }, { signal });
        return inNameOrder(answer.apiKeys.map((wire) => apiKeyFromWire(wire, organization)));
      },
      options,
    );
  }

  /** Returns the keys with a role on the machine itself, without caching. */
  async listForMachine(
    organization: OrganizationId,
    machine: MachineId,
    signal?: AbortSignal,
  ): Promise<readonly ApiKeySummary[]> {
    const { app } = await this.clients();
    const answer = await app.getRobotAPIKeys({ robotId: machine }, withSignal(signal));
    return inNameOrder(answer.apiKeys.map((wire) => apiKeyFromWire(wire, organization)));
  }

  async create(organization: OrganizationId, { name, roles }: NewApiKey): Promise<ApiKey> {
    const { app } = await this.clients();
    const answer = await app.createKey({
      name,
      authorizations: roles.map((role) => roleToWire(organization, role, 'newApiKey')),
    });
    this.fire({ ids: [apiKeyId(answer.id)], parents: [organization] });
    return { id: answer.id, secret: answer.key };
  }

  /** Rotates a key. The old secret and all its tokens are invalid when this resolves. */
  async rotate(organization: OrganizationId, id: ApiKeyId): Promise<ApiKey> {
    const { app } = await this.clients();
    const answer = await this.changing(organization, app.rotateKey({ id }));
    this.fire({ parents: [organization] });
    return { id, secret: answer.key };
  }

  /** Creates another key with the same roles. Its name is the current time. */
  async duplicate(organization: OrganizationId, id: ApiKeyId): Promise<ApiKey> {
    const { app } = await this.clients();
    const call = app.createKeyFromExistingKeyAuthorizations({ id });
    const answer = await this.changing(organization, call);
    this.fire({ ids: [apiKeyId(answer.id)], parents: [organization] });
    return { id: answer.id, secret: answer.key };
  }

  /** Deletes a key with its roles. Throws for the last owner of an organization. */
  async delete(organization: OrganizationId, id: ApiKeyId): Promise<void> {
    const { app } = await this.clients();
    await this.changing(organization, app.deleteKey({ id }));
    this.fire({ removed: [id], parents: [organization] });
  }

  /** Handles that keys in these organizations, or their roles, were changed elsewhere. */
  changedIn(organizations: readonly OrganizationId[]): void {
    if (organizations.length > 0) this.fire({ parents: organizations });
  }

  /**
   * Handles that roles on these resources were deleted with them, and keys with their last role.
   */
  removeOn(resourceIds: readonly string[]): void {
    const gone = new Set(resourceIds);
    const keys = [...this.lists.loaded()].flat();
    const affected = keys.filter(({ roles }) =>
      roles.some(({ resourceId }) => gone.has(resourceId)),
    );
    this.changedIn([...new Set(affected.map(({ organizationId }) => organizationId))]);
  }

  /** Clears the cache and notifies listeners to reload. */
  refresh(): void {
    this.lists.clear();
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
