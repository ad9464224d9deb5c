import type { Event } from '../../base/emitter';
import type { VersionToken } from '../model/versionToken';
import type { Carrier } from './jsonProblems';

/** State of a document on the service at a certain time. */
export interface Snapshot {
  /** JSON text as the service stores it, or as serialized from its Struct. */
  readonly text: string;
  /**
   * Version of the document. Undefined if the service has no versions (metadata), so that only the
   * content can reveal changes.
   */
  readonly version: VersionToken | undefined;
  /**
   * Current name of the resource. A config update also sends the name and must not undo a rename.
   */
  readonly name: string;
}

export interface WriteRequest {
  readonly text: string;
  readonly name: string;
  /**
   * Last known version, which the request includes. A service that supports this rejects the write
   * if it has a newer version.
   */
  readonly lastKnownVersion: VersionToken | undefined;
}

/**
 * Storage of one document. All methods throw `FleetError`: `notFound` if the resource was deleted,
 * `conflict` if the service has a newer version than `lastKnownVersion`, `invalid` if it rejects
 * the content.
 */
export interface ConfigSource {
  readonly carrier: Carrier;
  /** Reads the document from the service, bypassing caches. */
  read(signal?: AbortSignal): Promise<Snapshot>;
  /**
   * Writes the document. Resolves with the state that the service reports after the write;
   * undefined if the service doesn't report it.
   */
  write(request: WriteRequest): Promise<Snapshot | undefined>;
  /** Fires when this window receives a hint that the resource was changed or deleted. */
  readonly onDidChange: Event<void>;
}
