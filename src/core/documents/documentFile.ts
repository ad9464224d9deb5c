import { englishLocalizer } from '../../base/localizer';
import { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import { FleetError } from '../api/errors';
import type { Clock } from '../ports';
import type { BaseArchive, ConfigSource, Snapshot } from './configSource';
import { DocumentSession, type SaveOutcome } from './documentSession';
import type { AppliedMerge } from './jsonMerge';
import { presentJson, sameJsonValue } from './jsonText';

/** State of a document's editor, as known to the extension host. */
export type EditorState = 'closed' | 'clean' | 'dirty';

/** Change after which VS Code must refresh a file. */
export type FileChange = 'changed' | 'deleted';

/**
 * Reviews a save. Receives the new text and the newest known state of the service. Throws to cancel
 * the save.
 */
export type ReviewSave = (text: string, saved: Snapshot) => Promise<void>;

/** Open document as VS Code reports it, such as a `vscode.TextDocument`. */
export interface ReportedDocument {
  readonly isDirty: boolean;
  getText(): string;
}

export interface FileStat {
  /** Milliseconds since 1970. */
  readonly mtime: number;
  /** Size in bytes of UTF-8. */
  readonly size: number;
}

/**
 * Time in milliseconds for which VS Code's next `readFile` call can reuse the result of the read
 * that detected a change.
 */
const OFFER_LIFETIME_MS = 2_000;

/**
 * Delay in milliseconds after a failed read, before the service's text is compared again with text
 * that VS Code reported as clean.
 */
const RECOGNITION_RETRY_MS = 1_000;

/** Modification time that is never newer than the time that VS Code has. */
const UNMOVED_MTIME = 0;

const BYTE_ORDER_MARK = /^\uFEFF/;

/**
 * Virtual file for a document as VS Code sees it, with a modification time and a size.
 *
 * VS Code reports its own conflict if the time is newer and the size differs, and misses changes
 * that don't affect the size. To ensure that only this extension's check prompts, and only once, an
 * open document has no time, except while a clean editor is out of date. In that case, the new time
 * makes VS Code reload the document. `write` compares contents and throws errors that the host
 * presents.
 *
 * `test/host/editorEvents.test.ts` documents how VS Code reports edits and saves.
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
  /** True from the start of a save until VS Code reports its outcome. */
  private aboutToSave = false;
  private saving = false;
  /** True if the editor must reload because the service stored its text in a different form. */
  private mustReload = false;
  /**
   * Text that VS Code reported as clean although, as far as is known, it was neither loaded nor
   * saved.
   */
  private unrecognized: string | undefined;
  /**
   * Text after the most recent edit, undo, or redo; undefined after the editor has loaded text from
   * the service.
   */
  private edited: string | undefined;
  private retry: ReturnType<typeof setTimeout> | undefined;

  readonly onDidChangeFile = this.changed.event;
  /** Fires when `editorState`, `isDeleted`, or `isChangedElsewhere` might have changed. */
  readonly onDidChangeState = this.stateChanged.event;
  /**
   * Fires when VS Code has replaced edits that it considered saved with the text from the service.
   * The listener must restore the edited text in the editor as an edit.
   */
  readonly onDidReplaceEdits = this.editsReplaced.event;

  constructor(
    /** URI of the document. Its base is saved under this URI across window reloads. */
    readonly uri: string,
    source: ConfigSource,
    private readonly archive: BaseArchive,
    private readonly clock: Clock,
    private readonly l10n = englishLocalizer,
  ) {
    super();
    this.session = new DocumentSession(source, clock.now().getTime());
    this.register(source.onDidChange(() => void this.refresh()));
    this.register({ dispose: () => clearTimeout(this.retry) });
  }

  get editorState(): EditorState {
    return this.editor;
  }

  /**
   * True if there are unsaved edits, or if there were before a window reload, after which VS Code
   * restores them only when it has read the file.
   */
  get hasEdits(): boolean {
    return this.editor === 'dirty' || this.archive.get(this.uri) !== undefined;
  }

  /** True if the resource was deleted outside this editor. */
  get isDeleted(): boolean {
    return this.deleted;
  }

  /** True if there are unsaved edits and the service's state differs from their base. */
  get isChangedElsewhere(): boolean {
    return this.editor === 'dirty' && !this.deleted && this.session.isChangedElsewhere;
  }

  /** State from which unsaved edits started. */
  get base(): Snapshot | undefined {
    return this.session.base;
  }

  /** Merges that were applied to the edits since then, oldest first. */
  get merges(): readonly AppliedMerge[] {
    return this.session.merges;
  }

  /** Returns the time and size of the file. @throws FleetError */
  async stat(): Promise<FileStat> {
    if (this.deleted) throw this.deletedError();
    if (this.editor === 'closed') await this.readShared();
    const { latest, changedAt } = this.session;
    const isToBeRead = this.editor === 'closed' || (this.isOutOfDate() && !this.aboutToSave);
    return { mtime: isToBeRead ? changedAt : UNMOVED_MTIME, size: getByteSize(latest) };
  }

  /** Reads the text for an editor to display. @throws FleetError */
  async read(): Promise<string> {
    if (!this.takeOffer()) await this.readShared();
    this.mustReload = false;
    this.recognize();
    return this.session.serve();
  }

  /** Reads the current state from the service. @throws FleetError */
  readNow(): Promise<Snapshot> {
    return this.track(() => this.session.read());
  }

  /**
   * Saves the text. Without an open editor, edits have no base, so the write replaces the current
   * state on the service. Removes a leading byte order mark, which JSON doesn't allow. The editor
   * then loads the text without the mark.
   * @param review called before an editor's changes are sent, unless the user has already agreed to
   *   save them. If it throws, nothing is sent.
   * @throws InvalidDocumentError, SaveConflictError, ContentMismatchError, FleetError
   */
  async write(content: string, review?: ReviewSave): Promise<SaveOutcome> {
    this.saving = true;
    try {
      return await this.track(async () => {
        const text = content.replace(BYTE_ORDER_MARK, '');
        if (this.editor === 'closed') {
          this.session.approve(text, await this.session.read());
        } else {
          if (review) await this.runReview(text, review);
          // If the window reloads before the response arrives, the new window must be able to
          // recognize this write as its own.
          this.archiveBase(text);
        }
        const outcome = await this.session.save(text);
        this.mustReload = outcome === 'savedDifferently' || text !== content;
        return outcome;
      });
    } catch (error) {
      // After a failed save, VS Code leaves the document dirty without reporting it.
      if (this.editor === 'clean') this.noteDirty();
      throw error;
    } finally {
      this.saving = false;
      // Edits made during the save are based on the text that the save has stored or might have
      // stored.
      if (this.editor === 'dirty') this.archiveBase();
      this.stateChanged.fire();
    }
  }

  private async runReview(text: string, review: ReviewSave): Promise<void> {
    if (this.session.hasApproved(text)) return;
    // After a reload of the window, the editor shows restored edits without reading the document.
    const latest = this.session.latest ?? (await this.session.read());
    if (!sameJsonValue(latest.text, text)) await review(text, latest);
  }

  /**
   * Records that the user agreed to replace `snapshot` with the next save if the saved text is
   * `text`.
   */
  approve(text: string, snapshot: Snapshot): void {
    this.session.approve(text, snapshot);
  }

  /** Records a merge that replaced the editor's text and hasn't been saved. */
  noteMerge(merge: AppliedMerge): void {
    this.session.noteMerge(merge);
    if (this.editor === 'dirty') this.archiveBase();
  }

  /**
   * Records that a save has started. During the save, `write` detects conflicts; VS Code's
   * comparison of times must not.
   */
  noteWillSave(): void {
    this.aboutToSave = true;
  }

  noteClosed(): void {
    this.noteReport();
    this.setEditor('closed');
    this.deleted = false;
    this.offered = undefined;
    void this.archive.remove(this.uri);
  }

  /**
   * Handles a change to the editor's text. VS Code reports both the first edit to a clean document
   * and its reload as clean. Only the text distinguishes these two cases.
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
   * Handles a document that was opened, became dirty or clean, or was saved. VS Code also reports
   * edits that it restored from a backup, and edits made during a save, as clean. Therefore, text
   * that was neither loaded nor saved counts as an edit, unless the service has the same text.
   */
  noteStateChange(document: ReportedDocument): void {
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
   * Checks whether the service has a new state and notifies VS Code, which reloads a clean editor
   * but not one with edits. Ignores failures, except for a deleted resource, until the next open or
   * save. However, while the editor shows unsaved text as clean, retries the comparison until it
   * succeeds.
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
   * Returns true if `loaded` has replaced edits that VS Code considers saved. This happens when an
   * Undo during a save restores the previously saved text.
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
    void this.archive.remove(this.uri);
    this.setEditor('clean');
    // In some cases, such as after an Undo back to the saved text, VS Code doesn't refresh on its
    // own.
    if (this.isOutOfDate()) this.requestReload();
    return true;
  }

  /**
   * Sets a new time, which makes VS Code reload the document even if it already has the current
   * time, for example after a save.
   */
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

  /** @param sending text that the service might store before this window receives the response */
  private archiveBase(sending?: string): void {
    const { editBase } = this.session;
    if (!editBase) return;
    const { unconfirmed } = editBase;
    const all = sending === undefined ? unconfirmed : [...unconfirmed, sending];
    void this.archive.save(this.uri, { ...editBase, unconfirmed: all });
  }

  /** Compares the unrecognized text with the service's newest known state. */
  private recognize(): void {
    const text = this.unrecognized;
    if (text === undefined || !this.session.adopt(text)) return;
    this.unrecognized = undefined;
    this.noteClean(text);
    // VS Code might still treat the text as unsaved edits and restore it in the next window.
    this.archiveBase();
  }

  private isOutOfDate(): boolean {
    const { latest, base } = this.session;
    if (this.editor !== 'clean' || !latest) return false;
    return this.mustReload || latest.text !== base?.text;
  }

  /**
   * Reads the state once for concurrent requests, because VS Code requests the time and the text
   * concurrently.
   */
  private async readShared(): Promise<void> {
    this.reading ??= this.readNow().finally(() => {
      this.reading = undefined;
    });
    await this.reading;
  }

  /**
   * Caches the state, so that the subsequent read needs no call, and the time and text are
   * consistent.
   */
  private offer(): void {
    const until = this.clock.now().getTime() + OFFER_LIFETIME_MS;
    this.offered = { snapshot: this.session.latest, until };
  }

  private takeOffer(): boolean {
    const { offered } = this;
    this.offered = undefined;
    // A later save has created a newer state, so the cached state is outdated.
    if (!offered || offered.snapshot !== this.session.latest) return false;
    return offered.until > this.clock.now().getTime();
  }

  /**
   * Runs a call and determines from its outcome whether the resource was deleted or exists again.
   */
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

  private deletedError(): FleetError {
    const message = this.l10n.t(
      "The resource was deleted, or you don't have permission to view it.",
    );
    return new FleetError('notFound', message);
  }

  private setEditor(state: EditorState): void {
    if (this.editor === state) return;
    this.editor = state;
    this.stateChanged.fire();
  }
}

function getByteSize(snapshot: Snapshot | undefined): number {
  return snapshot ? new TextEncoder().encode(presentJson(snapshot.text)).length : 0;
}
