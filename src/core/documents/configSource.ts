import type { Event } from '../../base/emitter';
import type { VersionToken } from '../model/versionToken';
import type { Carrier } from './jsonProblems';

/** State of a document on the service at one time. */
export interface Snapshot {
  /** JSON text as stored by the service or as serialized from its Struct. */
  readonly text: string;
  /** Undefined if the service has no versions (metadata): then only the content reveals changes. */
  readonly version: VersionToken | undefined;
  /** Current name of the resource. A config update also sends it and must not undo a rename. */
  readonly name: string;
}

export interface WriteRequest {
  readonly text: string;
  readonly name: string;
  /**
   * Sent in the request, so that a service that supports it rejects the write if it has a newer
   * version.
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
  /** Reads from the service and bypasses caches. */
  read(signal?: AbortSignal): Promise<Snapshot>;
  /**
   * Resolves with the state that the service reports after the write; undefined if it reports none.
   */
  write(request: WriteRequest): Promise<Snapshot | undefined>;
  /** Fires when the resource was possibly changed or deleted, according to this window. */
  readonly onDidChange: Event<void>;
}
