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
import { whenGone } from './whenGone';

/** Its parents are the organizations whose keys changed. */
export type ApiKeyChange = StoreChange<ApiKeyId, OrganizationId>;

export interface NewApiKey {
  /** Empty: the service takes the present time. */
  readonly name: string;
  /** At least one: the service refuses a key that may do nothing. */
  readonly roles: readonly Role[];
}

/**
 * The API keys of organizations, one list each. A key itself is in the answers of `create`, `rotate`
 * and `duplicate` and nowhere else: it is never kept here. Calls throw `FleetError`.
 */
export class ApiKeyStore extends Disposable {
  private readonly lists = new ResourceCache<OrganizationId, readonly ApiKeySummary[]>();
  private readonly changed = this.register(new Emitter<ApiKeyChange>());
  readonly onDidChange = this.changed.event;

  constructor(private readonly clients: LoadClients) {
    super();
  }

  /** The keys that hold a role in an organization or in it, by name: one call. */
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

  /** The keys that hold a role on the machine itself, as the service has them now. */
  async listOfMachine(
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

  /** Gives a key another secret. The old one and all tokens of it are dead when this resolves. */
  async rotate(organization: OrganizationId, id: ApiKeyId): Promise<ApiKey> {
    const { app } = await this.clients();
    const answer = await this.changing(organization, app.rotateKey({ id }));
    this.fire({ parents: [organization] });
    return { id, secret: answer.key };
  }

  /** Makes another key with the roles of one. Its name is the present time. */
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

  /** Keys in these organizations, or their roles, changed by other ways. */
  changedIn(organizations: readonly OrganizationId[]): void {
    if (organizations.length > 0) this.fire({ parents: organizations });
  }

  /** Roles on these resources are gone with them, and keys with their last roles. */
  removeOn(resourceIds: readonly string[]): void {
    const gone = new Set(resourceIds);
    const keys = [...this.lists.loaded()].flat();
    const affected = keys.filter(({ roles }) =>
      roles.some(({ resourceId }) => gone.has(resourceId)),
    );
    this.changedIn([...new Set(affected.map(({ organizationId }) => organizationId))]);
  }

  /** Forgets what is cached and tells everyone to read again. */
  refresh(): void {
    this.lists.clear();
    this.changed.fire(storeChange({ all: true }));
  }

  private changing<T>(organization: OrganizationId, call: Promise<T>): Promise<T> {
    return whenGone(call, () => this.fire({ parents: [organization] }));
  }

  private fire(change: Partial<ApiKeyChange>): void {
    for (const organization of change.parents ?? []) this.lists.invalidate(organization);
    this.changed.fire(storeChange(change));
  }
}
