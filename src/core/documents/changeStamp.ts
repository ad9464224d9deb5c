import { versionToMilliseconds } from '../model/versionToken';
import type { Snapshot } from './configSource';

/**
 * The `mtime` of a document: it moves when the service's state does, and only then, since VS Code takes
 * a moved `mtime` for an edit made elsewhere. Two changes within one millisecond, or without a version
 * (metadata), still get different stamps, so that an editor reads again.
 */
export class ChangeStamp {
  private last: Snapshot | undefined;
  private lowest = 0;
  private current = 0;

  /** Milliseconds since 1970 of the first state noted; 0 before that. */
  get first(): number {
    return this.lowest;
  }

  /** Milliseconds since 1970 of the newest state noted; 0 before that. */
  get latest(): number {
    return this.current;
  }

  note(snapshot: Snapshot): void {
    const { last } = this;
    this.last = snapshot;
    if (last && last.version === snapshot.version && last.text === snapshot.text) return;
    const time = snapshot.version === undefined ? 0 : versionToMilliseconds(snapshot.version);
    this.current = Math.max(time, this.current + 1);
    this.lowest ||= this.current;
  }
}
