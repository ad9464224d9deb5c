import type { JsonObject } from '@bufbuild/protobuf';
import { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import { type FleetClients, withSignal } from '../api/fleetClients';
import type { ReadOptions } from './resourceCache';

export type MetadataKind = 'organization' | 'location' | 'machine' | 'part';

/** Metadata owner: a resource of this kind with this ID. */
export interface MetadataOwner {
  readonly kind: MetadataKind;
  readonly id: string;
}

/**
 * User-defined JSON metadata of four kinds of resources. Not cached, because the API has no version
 * for it.
 */
export class MetadataStore extends Disposable {
  private readonly changed = this.register(new Emitter<MetadataOwner>());
  readonly onDidChange = this.changed.event;

  constructor(private readonly clients: FleetClients) {
    super();
  }

  /** Returns a resource's metadata; an empty object if none was ever written. */
  async get(
    kind: MetadataKind,
    id: string,
    { signal }: Pick<ReadOptions, 'signal'> = {},
  ): Promise<JsonObject> {
    return (await this.read(kind, id, signal)).data ?? {};
  }

  /** Replaces all of a resource's metadata. */
  async update(kind: MetadataKind, id: string, data: JsonObject): Promise<void> {
    await this.write(kind, id, data);
    this.changed.fire({ kind, id });
  }

  private async read(
    kind: MetadataKind,
    id: string,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly data?: JsonObject | undefined }> {
    const options = withSignal(signal);
    switch (kind) {
      case 'organization':
        return this.clients.app.getOrganizationMetadata({ organizationId: id }, options);
      case 'location':
        return this.clients.app.getLocationMetadata({ locationId: id }, options);
      case 'machine':
        return this.clients.app.getRobotMetadata({ id }, options);
      case 'part':
        return this.clients.app.getRobotPartMetadata({ id }, options);
    }
  }

  private async write(kind: MetadataKind, id: string, data: JsonObject): Promise<object> {
    switch (kind) {
      case 'organization':
        return this.clients.app.updateOrganizationMetadata({ organizationId: id, data });
      case 'location':
        return this.clients.app.updateLocationMetadata({ locationId: id, data });
      case 'machine':
        return this.clients.app.updateRobotMetadata({ id, data });
      case 'part':
        return this.clients.app.updateRobotPartMetadata({ id, data });
    }
  }
}
