import { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import { FleetError } from '../api/errors';
import type { FleetClients } from '../api/fleetClients';
import type { Connection } from '../model/connection';
import {
  coversInside,
  EVERYTHING,
  type Granted,
  type Permission,
  PERMISSIONS_ON,
  type RoleScope,
  toRoleScope,
  withReadOnly,
} from '../model/permissions';
import type { ResourceTarget } from '../model/resourceTarget';

type GrantsByScope = ReadonlyMap<string, Granted>;

/**
 * Permissions of the signed-in API key (CheckPermissions). Never fails. While the service can't
 * report permissions, the UI offers all actions, and the service checks permissions when the user
 * runs them.
 */
export class AccessStore extends Disposable {
  private readonly known = new Map<string, Promise<Granted>>();
  private readonly changed = this.register(new Emitter<void>());
  /** Fires when roles might have changed, so that listeners must check permissions again. */
  readonly onDidChange = this.changed.event;
  private restricted: Connection | undefined;

  constructor(private readonly clients: FleetClients) {
    super();
  }

  /** The connection if it is read-only, so that the key can't change anything. */
  get readOnlyConnection(): Connection | undefined {
    return this.restricted;
  }

  /** Applies the state of the connection, and notifies listeners if it is or was read-only. */
  use(connection: Connection): void {
    const { restricted } = this;
    this.restricted = connection.readOnly && connection;
    if (restricted?.readOnly !== connection.readOnly) this.refresh();
  }

  /**
   * Returns the API key's permissions on the given resources, in order. Makes at most one call, for
   * resources whose permissions are unknown.
   */
  async getPermissions(scopes: readonly RoleScope[]): Promise<readonly Granted[]> {
    const unknown = new Map(
      scopes
        .filter((scope) => !this.known.has(toScopeKey(scope)))
        .map((scope) => [toScopeKey(scope), scope]),
    );
    if (unknown.size > 0) this.requestGrants([...unknown.values()]);
    const granted = await Promise.all(
      scopes.map((scope) => this.known.get(toScopeKey(scope)) ?? Promise.resolve(EVERYTHING)),
    );
    return granted.map((permissions) => this.restrict(permissions));
  }

  /**
   * Like `getPermissions`, but for resources inside another resource. Makes no call if the permissions on
   * the outer resource also apply to the resources inside it.
   */
  async getPermissionsInside(
    outer: RoleScope,
    granted: Granted,
    scopes: readonly RoleScope[],
  ): Promise<readonly Granted[]> {
    if (!coversInside(outer, granted)) return this.getPermissions(scopes);
    const answer = Promise.resolve(granted);
    for (const scope of scopes) this.known.set(toScopeKey(scope), answer);
    const own = this.restrict(granted);
    return scopes.map(() => own);
  }

  /**
   * Returns the API key's permissions on one resource. Makes no call if its location is known to
   * grant all permissions.
   */
  async getPermissionsFor(target: ResourceTarget): Promise<Granted> {
    if (target.kind === 'machine' || target.kind === 'part') {
      const location: RoleScope = { type: 'location', id: target.locationId };
      const inside = await this.known.get(toScopeKey(location));
      if (inside && coversInside(location, inside)) return this.restrict(inside);
    }
    const [granted = EVERYTHING] = await this.getPermissions([toRoleScope(target)]);
    return granted;
  }

  /**
   * Clears the permissions on resources inside organizations. Call this after a resource was moved.
   */
  clearInside(): void {
    for (const key of this.known.keys()) {
      if (!key.startsWith(ORGANIZATION_PREFIX)) this.known.delete(key);
    }
  }

  /** Clears all permissions without notifying listeners. */
  clear(): void {
    this.known.clear();
  }

  /** Clears all permissions and notifies listeners. Call this after roles have changed. */
  refresh(): void {
    this.clear();
    this.changed.fire();
  }

  private restrict(granted: Granted): Granted {
    return withReadOnly(granted, this.restricted !== undefined);
  }

  private requestGrants(scopes: readonly RoleScope[]): void {
    const answers = this.call(scopes);
    for (const scope of scopes) {
      const key = toScopeKey(scope);
      const answer = answers.then((found) => found?.get(key) ?? EVERYTHING);
      this.known.set(key, answer);
      // Failed checks are repeated on the next request.
      void answers.then((found) => {
        if (!found && this.known.get(key) === answer) this.known.delete(key);
      });
    }
  }

  /**
   * Requests permissions. Returns undefined if the service doesn't respond. If the service doesn't
   * support the call, allows all actions.
   */
  private async call(scopes: readonly RoleScope[]): Promise<GrantsByScope | undefined> {
    try {
      const { authorizedPermissions } = await this.clients.app.checkPermissions({
        permissions: scopes.map(({ type, id }) => ({
          resourceType: type,
          resourceId: id,
          permissions: [...PERMISSIONS_ON[type]],
        })),
      });
      // If the response doesn't contain a resource, the API key has no permissions on it.
      const answers = new Map<string, Granted>(
        scopes.map((scope) => [toScopeKey(scope), new Set()]),
      );
      for (const { resourceType, resourceId, permissions } of authorizedPermissions) {
        const granted = new Set(permissions as Permission[]);
        answers.set(`${resourceType}/${resourceId}`, granted);
      }
      return answers;
    } catch (error) {
      const lasting = error instanceof FleetError && LASTING.has(error.kind);
      return lasting ? new Map() : undefined;
    }
  }
}

/** Errors that would recur on the next call. */
const LASTING: ReadonlySet<FleetError['kind']> = new Set(['unsupported', 'invalid', 'permission']);

const ORGANIZATION_PREFIX = 'organization/';

function toScopeKey({ type, id }: RoleScope): string {
  return `${type}/${id}`;
}
