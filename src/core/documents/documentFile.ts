import { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import { FleetError } from '../api/errors';
import type { Clock } from '../ports';
import type { BaseArchive } from './baseArchive';
import type { ConfigSource, Snapshot } from './configSource';
import { DocumentSession, type SaveOutcome } from './documentSession';
import { presentJson, sameEditorText } from './jsonText';

/** What the editor of a document is like, as far as the host can see. */
export type EditorState = 'closed' | 'clean' | 'dirty';

/** What VS Code should look at again. */
export type FileChange = 'changed' | 'deleted';

export interface FileStat {
  /** Milliseconds since 1970. */
  readonly mtime: number;
  /** Bytes of UTF-8. */
  readonly size: number;
}

/** How long a read for `stat` also answers the `readFile` that VS Code sends right behind it. */
const HAND_OVER_MILLISECONDS = 2_000;

/**
 * One document as VS Code sees it: a file with a time and a size.
 *
 * VS Code raises a conflict of its own when the time moved and the size differs, and misses changes of
 * the same length. So that only our check asks, and once, the time of an open document stays at the
 * first one VS Code has seen, but for an editor without edits that has fallen behind: there the new time
 * makes VS Code read again. `write` compares contents and throws what the host presents.
 */
export class DocumentFile extends Disposable {
  private readonly session: DocumentSession;
  private readonly changed = this.register(new Emitter<FileChange>());
  private readonly stateChanged = this.register(new Emitter<void>());
  private reading: Promise<Snapshot> | undefined;
  private handOver: { readonly snapshot: Snapshot; readonly until: number } | undefined;
  private editor: EditorState = 'closed';
  private gone = false;
  /** What an editor without edits shows. */
  private cleanText = '';
  /** Whether the first state VS Code has seen is among those known here. */
  private originKnown = true;
  private saving = false;
  private reloadWhenClean = false;

  readonly onDidChangeFile = this.changed.event;
  /** Something that `editorState`, `isGone` or `isChangedElsewhere` tell may have changed. */
  readonly onDidChangeState = this.stateChanged.event;

  constructor(
    /** The document's URI, the key of its base across window reloads. */
    readonly uri: string,
    private readonly source: ConfigSource,
    private readonly archive: BaseArchive,
    private readonly clock: Clock,
  ) {
    super();
    this.session = new DocumentSession(source);
    this.register(source.onDidChange(() => void this.refresh(false)));
  }

  get editorState(): EditorState {
    return this.editor;
  }

  /** The resource was deleted elsewhere. */
  get isGone(): boolean {
    return this.gone;
  }

  /** There are unsaved edits, and the service holds something else than they started from. */
  get isChangedElsewhere(): boolean {
    const { base, known } = this.session;
    if (this.editor !== 'dirty' || this.gone || !known) return false;
    return !base || !this.session.sameContent(base, known);
  }

  /** What the unsaved edits started from. */
  get base(): Snapshot | undefined {
    return this.session.base;
  }

  /** @throws FleetError */
  async stat(): Promise<FileStat> {
    const { known, base, stamp } = this.session;
    if (this.gone) throw deletedError();
    if (this.editor === 'closed') {
      const snapshot = await this.readShared();
      this.offer(snapshot);
      return { mtime: this.session.stamp.latest, size: sizeOf(snapshot) };
    }
    const fallenBehind =
      this.editor === 'clean' &&
      known !== undefined &&
      !sameEditorText(this.cleanText, presentJson(known.text));
    return fallenBehind
      ? { mtime: stamp.latest, size: sizeOf(known) }
      : { mtime: this.originKnown ? stamp.first : 0, size: sizeOf(base) };
  }

  /** The text an editor shows. @throws FleetError */
  async read(): Promise<string> {
    const snapshot = this.takeOffer() ?? (await this.readShared());
    this.handOver = undefined;
    return presentJson(snapshot.text);
  }

  /** The service's state at this moment. @throws FleetError */
  readNow(signal?: AbortSignal): Promise<Snapshot> {
    return this.track(() => this.session.read(true, signal));
  }

  /**
   * Saves. Without an open editor there is nothing that edits could have started from, so the write
   * counts as made upon the service's present state.
   * @throws InvalidDocumentError, SaveConflictError, NotKeptError, FleetError
   */
  async write(text: string): Promise<SaveOutcome> {
    this.saving = true;
    try {
      return await this.track(async () => {
        if (this.editor === 'closed') this.session.rebase(await this.session.read(true));
        const outcome = await this.session.save(text);
        this.reloadWhenClean = outcome === 'savedDifferently';
        return outcome;
      });
    } finally {
      this.saving = false;
      this.stateChanged.fire();
    }
  }

  /** Edits count as made upon `snapshot` from now on. */
  rebase(snapshot: Snapshot): void {
    this.session.rebase(snapshot);
    if (this.editor === 'dirty') void this.archive.keep(this.uri, snapshot);
    this.stateChanged.fire();
  }

  noteClosed(): void {
    this.setEditor('closed');
    this.originKnown = true;
    void this.archive.forget(this.uri);
  }

  /**
   * The editor shows `text` and is said to have nothing to save. After a window reload VS Code says so
   * of edits that it restored from its backup: a text that is no known state counts as edits, until the
   * service turns out to hold just that text.
   */
  noteClean(text: string): void {
    if (!this.session.noteClean(text)) {
      const unknown = this.session.base === undefined;
      this.noteDirty();
      if (unknown) void this.recognize(text);
      return;
    }
    this.showClean(text);
    void this.archive.forget(this.uri);
    if (!this.reloadWhenClean) return;
    this.reloadWhenClean = false;
    this.changed.fire('changed');
  }

  noteDirty(): void {
    if (this.editor === 'dirty') return;
    const { base } = this.session;
    const restored = base ? undefined : this.archive.get(this.uri);
    if (restored) this.session.rebase(restored);
    else if (base) void this.archive.keep(this.uri, base);
    if (!base && !restored) this.originKnown = false;
    this.setEditor('dirty');
  }

  /**
   * Looks whether the service holds something else by now and tells VS Code. Failures other than a
   * deleted resource are left to whoever opens or saves the document.
   */
  async refresh(fresh: boolean): Promise<void> {
    // A store fires before it keeps what it was answered; after this turn it has.
    await Promise.resolve();
    if (this.editor === 'closed' || this.saving || this.isDisposed) return;
    const { latest } = this.session.stamp;
    try {
      const snapshot = await this.track(() => this.session.read(fresh));
      if (this.session.stamp.latest === latest) return;
      this.offer(snapshot);
      this.changed.fire('changed');
    } catch (error) {
      if (!(error instanceof FleetError)) throw error;
    } finally {
      this.stateChanged.fire();
    }
  }

  /**
   * Finds out whether a text of unknown origin is what the service holds. If not, VS Code is told of a
   * change: it reloads an editor that has no edits after all, and leaves one alone that has some.
   */
  private async recognize(text: string): Promise<void> {
    try {
      await this.readNow();
    } catch (error) {
      if (!(error instanceof FleetError)) throw error;
      return;
    }
    if (this.session.noteClean(text)) this.showClean(text);
    else this.changed.fire('changed');
  }

  /** VS Code asks for time and text at once: one call answers both. */
  private async readShared(): Promise<Snapshot> {
    this.reading ??= this.readNow().finally(() => {
      this.reading = undefined;
    });
    return this.reading;
  }

  /** The read that follows gets this without another call, so that time and text are of one state. */
  private offer(snapshot: Snapshot): void {
    this.handOver = { snapshot, until: this.clock.now().getTime() + HAND_OVER_MILLISECONDS };
  }

  private takeOffer(): Snapshot | undefined {
    const offered = this.handOver;
    this.handOver = undefined;
    return offered && offered.until > this.clock.now().getTime() ? offered.snapshot : undefined;
  }

  /** Runs a call and notices when it tells that the resource is gone or back. */
  private async track<T>(call: () => Promise<T>): Promise<T> {
    try {
      const result = await call();
      this.gone = false;
      return result;
    } catch (error) {
      if (error instanceof FleetError && error.kind === 'notFound' && !this.gone) {
        this.gone = this.editor !== 'closed';
        if (this.gone) this.changed.fire('deleted');
      }
      throw error;
    }
  }

  private showClean(text: string): void {
    this.cleanText = text;
    this.setEditor('clean');
  }

  private setEditor(state: EditorState): void {
    if (this.editor === state) return;
    this.editor = state;
    this.stateChanged.fire();
  }
}

function sizeOf(snapshot: Snapshot | undefined): number {
  return snapshot ? new TextEncoder().encode(presentJson(snapshot.text)).length : 0;
}

function deletedError(): FleetError {
  return new FleetError('notFound', 'The resource was deleted.');
}
