import { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import { FleetError } from '../api/errors';
import type { Clock } from '../ports';
import type { BaseArchive } from './baseArchive';
import type { ConfigSource, Snapshot } from './configSource';
import { DocumentSession, type SaveOutcome } from './documentSession';
import { presentJson } from './jsonText';

/** The state of a document's editor, as far as the extension host can tell. */
export type EditorState = 'closed' | 'clean' | 'dirty';

/** What VS Code should look at again. */
export type FileChange = 'changed' | 'deleted';

/** An open document as VS Code reports it. A `vscode.TextDocument` is one. */
export interface ReportedDocument {
  readonly isDirty: boolean;
  getText(): string;
}

export interface FileStat {
  /** Milliseconds since 1970. */
  readonly mtime: number;
  /** Bytes of UTF-8. */
  readonly size: number;
}

/** How long the read that found a change also answers the `readFile` that VS Code then sends. */
const OFFER_LIFETIME_MS = 2_000;

/** How long after a failed read a text that VS Code reported as clean is compared with the service again. */
const RECOGNITION_RETRY_MS = 1_000;

/** A time that is never newer than the one VS Code knows. */
const UNMOVED_MTIME = 0;

const BYTE_ORDER_MARK = /^\uFEFF/;

/**
 * One document as VS Code sees it: a file with a time and a size.
 *
 * VS Code raises a conflict of its own when the time moved forward and the size differs, and misses
 * changes of the same length. So that only our check asks, and once, an open document has no time at
 * all, except while a clean editor is out of date: there the new time makes VS Code read again. `write`
 * compares contents and throws what the host presents.
 *
 * `test/host/editorEvents.test.ts` records how VS Code reports edits and saves.
 */
export class DocumentFile extends Disposable {
  private readonly session: DocumentSession;
  private readonly changed = this.register(new Emitter<FileChange>());
  private readonly stateChanged = this.register(new Emitter<void>());
  private readonly editsReplaced = this.register(new Emitter<string>());
  private reading: Promise<unknown> | undefined;
  private offered: { readonly snapshot: Snapshot | undefined; readonly until: number } | undefined;
  private editor: EditorState = 'closed';
  private deleted = false;
  /** From the start of a save until VS Code reports its outcome. */
  private aboutToSave = false;
  private saving = false;
  /** The service holds another form of what the editor shows. */
  private mustReload = false;
  /** A text that VS Code reported as clean and that is neither loaded nor saved as far as known here. */
  private unrecognized: string | undefined;
  /** What the latest edit, undo or redo made of the text, until the editor loads another. */
  private edited: string | undefined;
  private retry: ReturnType<typeof setTimeout> | undefined;

  readonly onDidChangeFile = this.changed.event;
  /** `editorState`, `isDeleted` or `isChangedElsewhere` may have changed. */
  readonly onDidChangeState = this.stateChanged.event;
  /**
   * VS Code loaded the service's text over edits that it took for saved. The text with the edits is to be
   * put back into the editor, as an edit.
   */
  readonly onDidReplaceEdits = this.editsReplaced.event;

  constructor(
    /** The document's URI, the key of its base across window reloads. */
    readonly uri: string,
    source: ConfigSource,
    private readonly archive: BaseArchive,
    private readonly clock: Clock,
  ) {
    super();
    this.session = new DocumentSession(source, clock.now().getTime());
    this.register(source.onDidChange(() => void this.refresh()));
    this.register({ dispose: () => clearTimeout(this.retry) });
  }

  get editorState(): EditorState {
    return this.editor;
  }

  /** The resource was deleted elsewhere. */
  get isDeleted(): boolean {
    return this.deleted;
  }

  /** There are unsaved edits, and the service holds something else than they started from. */
  get isChangedElsewhere(): boolean {
    return this.editor === 'dirty' && !this.deleted && this.session.isChangedElsewhere;
  }

  /** The state that unsaved edits started from. */
  get base(): Snapshot | undefined {
    return this.session.base;
  }

  /** @throws FleetError */
  async stat(): Promise<FileStat> {
    if (this.deleted) throw deletedError();
    if (this.editor === 'closed') await this.readShared();
    const { latest, changedAt } = this.session;
    const isToBeRead = this.editor === 'closed' || (this.isOutOfDate() && !this.aboutToSave);
    return { mtime: isToBeRead ? changedAt : UNMOVED_MTIME, size: sizeOf(latest) };
  }

  /** The text for an editor to show. @throws FleetError */
  async read(): Promise<string> {
    if (!this.takeOffer()) await this.readShared();
    this.mustReload = false;
    this.recognize();
    return this.session.serve();
  }

  /** The service's present state. @throws FleetError */
  readNow(): Promise<Snapshot> {
    return this.track(() => this.session.read());
  }

  /**
   * Saves. Without an open editor there is nothing that edits could have started from, so the write
   * replaces the service's present state. A leading byte order mark, which JSON does not allow, is
   * removed; the editor then loads the text without it.
   * @throws InvalidDocumentError, SaveConflictError, ContentMismatchError, FleetError
   */
  async write(content: string): Promise<SaveOutcome> {
    this.saving = true;
    try {
      return await this.track(async () => {
        const text = content.replace(BYTE_ORDER_MARK, '');
        if (this.editor === 'closed') this.session.approve(text, await this.session.read());
        // A window that is reloaded before the answer comes must know its own write again.
        else this.archiveBase(text);
        const outcome = await this.session.save(text);
        this.mustReload = outcome === 'savedDifferently' || text !== content;
        return outcome;
      });
    } catch (error) {
      // VS Code keeps a document dirty whose save failed, and reports nothing.
      if (this.editor === 'clean') this.noteDirty();
      throw error;
    } finally {
      this.saving = false;
      // Edits made during the save start from what it stored, or may have stored.
      if (this.editor === 'dirty') this.archiveBase();
      this.stateChanged.fire();
    }
  }

  /** The user agreed that the next save, if it is one of `text`, replaces `snapshot`. */
  approve(text: string, snapshot: Snapshot): void {
    this.session.approve(text, snapshot);
  }

  /** A save begins. Its conflicts are found by `write`, not by VS Code's comparison of times. */
  noteWillSave(): void {
    this.aboutToSave = true;
  }

  noteClosed(): void {
    this.noteReport();
    this.setEditor('closed');
    this.deleted = false;
    this.offered = undefined;
    void this.archive.forget(this.uri);
  }

  /**
   * The text of the editor changed. VS Code reports both the first edit of a clean document and the
   * reload of one as clean; only the text tells them apart.
   */
  noteEdited(document: ReportedDocument): void {
    const text = document.getText();
    const { unrecognized } = this;
    if (unrecognized !== undefined && !document.isDirty && this.replacesEdits(unrecognized, text)) {
      this.editsReplaced.fire(unrecognized);
      return;
    }
    this.noteReport();
    this.edited = text;
    if (document.isDirty) this.noteDirty();
    else if (this.noteClean(text)) this.edited = undefined;
  }

  /**
   * The document was opened, became dirty or clean, or was saved. VS Code reports edits that it restored
   * from a backup, and those made while a save was running, as clean too: a text that was neither loaded
   * nor saved counts as edits, unless the service turns out to hold just that text.
   */
  noteSettled(document: ReportedDocument): void {
    this.noteReport();
    if (document.isDirty) {
      this.noteDirty();
      return;
    }
    const text = document.getText();
    if (this.noteClean(text)) return;
    this.unrecognized = text;
    void this.refresh();
  }

  /**
   * Finds out whether the service holds something else now, and notifies VS Code: it reloads a clean
   * editor and leaves one with edits alone. Failures other than a deleted resource are left to the next
   * open or save, except while the editor shows unsaved text as clean: that is compared until it succeeds.
   */
  async refresh(): Promise<void> {
    if (this.editor === 'closed' || this.saving || this.isDisposed) return;
    const { changedAt } = this.session;
    try {
      await this.track(() => this.session.read());
      this.recognize();
      const isCurrent = this.unrecognized === undefined && !this.isOutOfDate();
      if (isCurrent && this.session.changedAt === changedAt) return;
      this.offer();
      this.requestReload();
    } catch (error) {
      if (!(error instanceof FleetError)) throw error;
      this.retryRecognition();
    } finally {
      this.stateChanged.fire();
    }
  }

  private retryRecognition(): void {
    clearTimeout(this.retry);
    if (this.unrecognized === undefined || this.deleted) return;
    this.retry = setTimeout(() => {
      if (this.unrecognized !== undefined) void this.refresh();
    }, RECOGNITION_RETRY_MS);
  }

  /**
   * Whether `loaded` took the place of edits that VS Code takes for saved: those that Undo made while a
   * save was running, by going back to the text that had been saved before.
   */
  private replacesEdits(shown: string, loaded: string): boolean {
    const { session } = this;
    return shown === this.edited && session.isEdit(shown) && session.isServed(loaded);
  }

  private noteReport(): void {
    this.unrecognized = undefined;
    if (!this.saving) this.aboutToSave = false;
  }

  private noteClean(text: string): boolean {
    if (!this.session.noteClean(text)) {
      this.noteDirty();
      return false;
    }
    void this.archive.forget(this.uri);
    this.setEditor('clean');
    // VS Code does not look again by itself, for example after Undo back to the saved text.
    if (this.isOutOfDate()) this.requestReload();
    return true;
  }

  /** The new time makes VS Code read, also where it saw the present one already, as after a save. */
  private requestReload(): void {
    this.session.touch();
    this.changed.fire('changed');
  }

  private noteDirty(): void {
    if (this.editor === 'dirty') return;
    if (!this.session.base) {
      const archived = this.archive.get(this.uri);
      if (archived) this.session.restoreBase(archived);
    }
    this.archiveBase();
    this.setEditor('dirty');
  }

  /** @param sending a text that the service may hold before this window learns of it */
  private archiveBase(sending?: string): void {
    const { editBase } = this.session;
    if (!editBase) return;
    const { snapshot, unconfirmed } = editBase;
    const all = sending === undefined ? unconfirmed : [...unconfirmed, sending];
    void this.archive.keep(this.uri, { snapshot, unconfirmed: all });
  }

  /** Compares the unrecognized text with the newest state of the service. */
  private recognize(): void {
    const text = this.unrecognized;
    if (text === undefined || !this.session.adopt(text)) return;
    this.unrecognized = undefined;
    this.noteClean(text);
    // VS Code may have it as unsaved edits all the same, and restore them in the next window.
    this.archiveBase();
  }

  private isOutOfDate(): boolean {
    const { latest, base } = this.session;
    if (this.editor !== 'clean' || !latest) return false;
    return this.mustReload || latest.text !== base?.text;
  }

  /** VS Code asks for time and text at the same time: one call answers both. */
  private async readShared(): Promise<void> {
    this.reading ??= this.readNow().finally(() => {
      this.reading = undefined;
    });
    await this.reading;
  }

  /** The read that follows is answered without another call, so that time and text are of one state. */
  private offer(): void {
    const until = this.clock.now().getTime() + OFFER_LIFETIME_MS;
    this.offered = { snapshot: this.session.latest, until };
  }

  private takeOffer(): boolean {
    const { offered } = this;
    this.offered = undefined;
    // A save since then has made a newer state.
    if (!offered || offered.snapshot !== this.session.latest) return false;
    return offered.until > this.clock.now().getTime();
  }

  /** Runs a call and notices when its outcome shows that the resource was deleted or exists again. */
  private async track<T>(call: () => Promise<T>): Promise<T> {
    try {
      const result = await call();
      this.deleted = false;
      return result;
    } catch (error) {
      if (error instanceof FleetError && error.kind === 'notFound' && !this.deleted) {
        this.deleted = this.editor !== 'closed';
        if (this.deleted) this.changed.fire('deleted');
      }
      throw error;
    }
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
