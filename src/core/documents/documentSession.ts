import { FleetError } from '../api/errors';
import { ChangeStamp } from './changeStamp';
import type { ConfigSource, Snapshot } from './configSource';
import { presentJson, sameEditorText, sameJsonText, sameJsonValue } from './jsonText';
import { findJsonProblems } from './jsonProblems';
import { InvalidDocumentError, NotKeptError, SaveConflictError } from './saveErrors';

/**
 * How a save ended well: nothing had to be written, the service keeps the text now, or it keeps the same
 * values with another order of keys or other digits than were sent.
 */
export type SaveOutcome = 'unchanged' | 'saved' | 'savedDifferently';

/** Texts that a clean editor may show, after several reads close together. */
const REMEMBERED_TEXTS = 8;

/** How often a write is tried again when only the version moved and the content did not. */
const VERSION_RETRIES = 2;

/** A text in an editor, and the state of the service that it stands for. */
interface Shown {
  readonly text: string;
  readonly state: Snapshot;
}

/**
 * One document: what the service keeps, what the edits of an editor started from (the base), and the
 * rules of saving. Knows nothing of editors; the host tells it when an editor is clean.
 */
export class DocumentSession {
  private snapshot: Snapshot | undefined;
  private startedFrom: Snapshot | undefined;
  private shown: readonly Shown[] = [];
  private readonly changeStamp = new ChangeStamp();

  constructor(private readonly source: ConfigSource) {}

  /** The newest state of the service that is known here. */
  get known(): Snapshot | undefined {
    return this.snapshot;
  }

  /** When `known` came to be, for the `mtime` of the document. */
  get stamp(): Pick<ChangeStamp, 'first' | 'latest'> {
    return this.changeStamp;
  }

  /** What unsaved edits started from. */
  get base(): Snapshot | undefined {
    return this.startedFrom;
  }

  /** Reads from the service, or from its store's cache when `fresh` is false. */
  async read(fresh: boolean, signal?: AbortSignal): Promise<Snapshot> {
    return this.remember(await this.source.read({ fresh, signal }));
  }

  /**
   * An editor that is said to have no unsaved edits shows `text`. What it shows decides the base:
   * somebody else may read the document while edits are under way, which must not move their base.
   * @returns false when no state of the service that is known here is shown like that.
   */
  noteClean(text: string): boolean {
    const state = this.shown.findLast((shown) => sameEditorText(shown.text, text))?.state;
    if (state) this.startedFrom = state;
    const { startedFrom: base } = this;
    return base !== undefined && (state === base || sameEditorText(presentJson(base.text), text));
  }

  /** Edits count as made upon `snapshot` from now on: after a merge, a reload or an agreed overwrite. */
  rebase(snapshot: Snapshot): void {
    this.startedFrom = this.remember(snapshot);
  }

  /** Whether two snapshots hold the same, by the measure of what carries them. */
  sameContent(left: Snapshot, right: Snapshot): boolean {
    return this.sameText(left.text, right.text);
  }

  /**
   * Makes the service keep `mine`; what is there already is not written. The service's state is read before every write, since it may ignore the version sent
   * along, and the answer is compared after it.
   * @throws InvalidDocumentError, SaveConflictError, NotKeptError, FleetError. The base stays.
   */
  async save(mine: string, signal?: AbortSignal): Promise<SaveOutcome> {
    const problems = findJsonProblems(mine, this.source.carrier);
    if (problems.length > 0) throw new InvalidDocumentError(problems);
    const base = this.startedFrom;
    if (base && sameEditorText(presentJson(base.text), mine)) return 'unchanged';
    for (let attempt = 0; ; attempt += 1) {
      const theirs = await this.read(true, signal);
      const untouched = base !== undefined && this.sameContent(theirs, base);
      if (this.isKept(mine, theirs, untouched)) {
        this.startFrom(theirs, mine);
        return 'unchanged';
      }
      if (!untouched) throw new SaveConflictError(base, theirs);
      try {
        return await this.write(mine, theirs, signal);
      } catch (error) {
        const mayRetry = attempt < VERSION_RETRIES;
        if (!(error instanceof FleetError && error.kind === 'conflict' && mayRetry)) throw error;
        // Somebody wrote between the read and the write: the next round finds out what.
      }
    }
  }

  /** A new layout alone is worth a write only where the service keeps layouts and nobody else wrote. */
  private isKept(mine: string, theirs: Snapshot, untouched: boolean): boolean {
    if (!this.sameText(theirs.text, mine)) return false;
    return this.source.carrier === 'struct' || !untouched || theirs.text === mine;
  }

  private async write(
    mine: string,
    theirs: Snapshot,
    signal: AbortSignal | undefined,
  ): Promise<SaveOutcome> {
    const answer = await this.source.write({
      text: mine,
      name: theirs.name,
      lastKnownVersion: theirs.version,
    });
    const answered = answer && this.sameText(answer.text, mine) ? answer : undefined;
    const kept = this.remember(answered ?? (await this.source.read({ fresh: true, signal })));
    if (!sameJsonValue(kept.text, mine)) throw new NotKeptError(kept);
    this.startFrom(kept, mine);
    return this.sameText(kept.text, mine) ? 'saved' : 'savedDifferently';
  }

  private remember(snapshot: Snapshot): Snapshot {
    this.changeStamp.note(snapshot);
    this.snapshot = snapshot;
    this.rememberShown(presentJson(snapshot.text), snapshot);
    return snapshot;
  }

  /** An editor shows what the service keeps in the words of the person who saved it. */
  private startFrom(state: Snapshot, text: string): void {
    this.startedFrom = state;
    this.rememberShown(text, state);
  }

  private rememberShown(text: string, state: Snapshot): void {
    const others = this.shown.filter((shown) => shown.text !== text);
    this.shown = [...others, { text, state }].slice(-REMEMBERED_TEXTS);
  }

  private sameText(left: string, right: string): boolean {
    return this.source.carrier === 'text' ? sameJsonText(left, right) : sameJsonValue(left, right);
  }
}
