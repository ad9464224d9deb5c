import type { Event } from '../../base/emitter';
import type { VersionToken } from '../model/versionToken';
import type { Carrier } from './jsonProblems';

/** A document as the service keeps it at one moment. */
export interface Snapshot {
  /** The JSON text as the service keeps it or as its Struct was written out. */
  readonly text: string;
  /** Undefined where the service keeps no versions (metadata); then only content tells a change. */
  readonly version: VersionToken | undefined;
  /** The resource's name now. An update of a config sends it along and must not undo a rename. */
  readonly name: string;
}

export interface WriteRequest {
  readonly text: string;
  readonly name: string;
  /** Sent along, so that a service which honours it refuses the write when it holds a newer version. */
  readonly lastKnownVersion: VersionToken | undefined;
}

/**
 * Where one document is kept. All of it throws `FleetError`: `notFound` when the resource is gone,
 * `conflict` when the service holds a newer version than `lastKnownVersion`, `invalid` when it
 * refuses the content.
 */
export interface ConfigSource {
  readonly carrier: Carrier;
  /** Reads from the service, whatever is cached. */
  read(signal?: AbortSignal): Promise<Snapshot>;
  /** Answers what the service says it keeps now; undefined where it answers nothing. */
  write(request: WriteRequest): Promise<Snapshot | undefined>;
  /** The resource may have changed or gone, as far as this window knows. */
  readonly onDidChange: Event<void>;
}
