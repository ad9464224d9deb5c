import type { PartContact } from '../stores/partStore';

/**
 * Stage of a restart: `marked` (requested) until the machine checks in; `told` after the machine
 * has acknowledged the request; `started` after the machine has signed in again; `online` after it
 * has checked in again. If the service doesn't report restart requests, the only known stage is
 * `called`: the machine has checked in since the request.
 */
export type RestartStage = 'marked' | 'told' | 'started' | 'online' | 'called';

/**
 * Reason why a restart is no longer tracked: it reached the last observable stage (`done`), the
 * machine wasn't online when the restart was requested (`away`), it made no progress for too long
 * (`late`), the part was deleted (`gone`), or the user stopped the tracking (`stopped`).
 */
export type RestartEnd = 'done' | 'away' | 'late' | 'gone' | 'stopped';

/** Progress of one part, from the restart request until the part is back online. */
export class RestartTrack<T> {
  stage: RestartStage = 'marked';
  /** Reason why the tracking ended; undefined while the restart is tracked. */
  end: RestartEnd | undefined;
  /** Most recently read contact. */
  contact: PartContact | undefined;
  /** Last contact before the machine began to restart. */
  private before: Date | undefined;

  constructor(
    readonly part: T,
    /** Time when the stage was reached; initially the time of the request. */
    public since: Date,
  ) {}

  /** Updates the progress based on the current contact. */
  take(contact: PartContact, now: Date): void {
    const first = this.contact === undefined;
    this.contact = contact;
    if (first) {
      this.before = contact.lastAccess;
      if (contact.restart !== 'told' && isAway(contact)) {
        this.end = 'away';
        return;
      }
    }
    const stage = this.getStage(contact);
    if (contact.restart === 'asked' || contact.restart === 'told') this.before = contact.lastAccess;
    if (stage === this.stage) return;
    this.stage = stage;
    this.since = now;
    if (stage === 'online' || stage === 'called') this.end = 'done';
  }

  private getStage(contact: PartContact): RestartStage {
    const called = isLater(contact.lastAccess, this.before);
    switch (contact.restart) {
      case 'asked':
        return 'marked';
      case 'told':
        return 'told';
      case 'none':
        return called && contact.status === 'online' ? 'online' : 'started';
      case undefined:
        return called ? 'called' : 'marked';
    }
  }
}

function isAway({ status }: PartContact): boolean {
  return status === 'offline' || status === 'awaitingSetup';
}

function isLater(time: Date | undefined, than: Date | undefined): boolean {
  return time !== undefined && (than === undefined || time.getTime() > than.getTime());
}
