import type { PartContact } from '../stores/partStore';

/**
 * How far a restart has come: `marked` until the machine calls; `told` once it has heard of it;
 * `started` once it has signed in again; `online` once it calls again. Of a service that does not tell
 * its marks no more can be known than that the machine has `called` since.
 */
export type RestartStage = 'marked' | 'told' | 'started' | 'online' | 'called';

/**
 * Why a restart is not followed any further: it came as far as can be seen (`done`), the machine was
 * not online when it was marked (`away`), it did nothing for too long (`late`), the part was deleted
 * (`gone`), or the person stopped it (`stopped`).
 */
export type RestartEnd = 'done' | 'away' | 'late' | 'gone' | 'stopped';

/** One part's way from the mark to being back online. */
export class RestartTrack<T> {
  stage: RestartStage = 'marked';
  /** Undefined while it is followed. */
  end: RestartEnd | undefined;
  /** What was last read. */
  contact: PartContact | undefined;
  /** The last contact before the machine began to restart. */
  private before: Date | undefined;

  constructor(
    readonly part: T,
    /** When the stage was reached; the mark, at first. */
    public since: Date,
  ) {}

  /** Takes in what the service says of the part now. */
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
    const stage = this.stageOf(contact);
    if (contact.restart === 'asked' || contact.restart === 'told') this.before = contact.lastAccess;
    if (stage === this.stage) return;
    this.stage = stage;
    this.since = now;
    if (stage === 'online' || stage === 'called') this.end = 'done';
  }

  private stageOf(contact: PartContact): RestartStage {
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
