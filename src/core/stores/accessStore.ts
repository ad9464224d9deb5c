import { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import { FleetError } from '../api/errors';
import type { LoadClients } from '../api/fleetClients';
import {
  coversInside,
  EVERYTHING,
  type Granted,
  type Permission,
  PERMISSIONS_ON,
  type RolePlace,
  rolePlaceOf,
} from '../model/permissions';
import type { ResourceTarget } from '../model/resourceTarget';

type Answers = ReadonlyMap<string, Granted>;

/**
 * What the signed-in key may do where (CheckPermissions). It never fails: while the service cannot
 * say, everything is offered and the service decides when it is tried.
 */
export class AccessStore extends Disposable {
  private readonly known = new Map<string, Promise<Granted>>();
  private readonly changed = this.register(new Emitter<void>());
  /** Roles may have changed: ask again. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly clients: LoadClients) {
    super();
  }

  /** What the key may do on these places, in their order: at most one call, for those unknown. */
  async mayOn(places: readonly RolePlace[]): Promise<readonly Granted[]> {
    const unknown = new Map(
      places.filter((place) => !this.known.has(keyOf(place))).map((place) => [keyOf(place), place]),
    );
    if (unknown.size > 0) this.ask([...unknown.values()]);
    return Promise.all(
      places.map((place) => this.known.get(keyOf(place)) ?? Promise.resolve(EVERYTHING)),
    );
  }

  /** The same for places inside one: without a call when what is granted there covers them. */
  async mayInside(
    outer: RolePlace,
    granted: Granted,
    places: readonly RolePlace[],
  ): Promise<readonly Granted[]> {
    if (!coversInside(outer, granted)) return this.mayOn(places);
    const answer = Promise.resolve(granted);
    for (const place of places) this.known.set(keyOf(place), answer);
    return places.map(() => granted);
  }

  /** What the key may do with one resource, without a call when its location is known to cover it. */
  async mayWith(target: ResourceTarget): Promise<Granted> {
    if (target.kind === 'machine' || target.kind === 'part') {
      const location: RolePlace = { type: 'location', id: target.locationId };
      const inside = await this.known.get(keyOf(location));
      if (inside && coversInside(location, inside)) return inside;
    }
    const [granted = EVERYTHING] = await this.mayOn([rolePlaceOf(target)]);
    return granted;
  }

  /** Forgets what holds for places below organizations, after something was moved. */
  forgetInside(): void {
    for (const key of this.known.keys()) {
      if (!key.startsWith(ORGANIZATION_PREFIX)) this.known.delete(key);
    }
  }

  /** Forgets everything, without telling anyone. */
  forget(): void {
    this.known.clear();
  }

  /** After roles have changed: forgets everything and tells everyone. */
  refresh(): void {
    this.forget();
    this.changed.fire();
  }

  private ask(places: readonly RolePlace[]): void {
    const answers = this.call(places);
    for (const place of places) {
      const key = keyOf(place);
      const answer = answers.then((found) => found?.get(key) ?? EVERYTHING);
      this.known.set(key, answer);
      // What the service could not say is asked again the next time.
      void answers.then((found) => {
        if (!found && this.known.get(key) === answer) this.known.delete(key);
      });
    }
  }

  /** Undefined when there is no answer now. A service without the call lets everything be tried. */
  private async call(places: readonly RolePlace[]): Promise<Answers | undefined> {
    try {
      const { app } = await this.clients();
      const { authorizedPermissions } = await app.checkPermissions({
        permissions: places.map(({ type, id }) => ({
          resourceType: type,
          resourceId: id,
          permissions: [...PERMISSIONS_ON[type]],
        })),
      });
      // A place that is missing in the answer is one where nothing is permitted.
      const answers = new Map<string, Granted>(places.map((place) => [keyOf(place), new Set()]));
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

/** Failures that the next call would meet again. */
const LASTING: ReadonlySet<FleetError['kind']> = new Set(['unsupported', 'invalid', 'permission']);

const ORGANIZATION_PREFIX = 'organization/';

function keyOf({ type, id }: RolePlace): string {
  return `${type}/${id}`;
}
