import type {
  DocumentFile,
  FileStat,
  ReportedDocument,
} from '../../../../../src/core/documents/documentFile';

/** VS Code's own conflict error, which must never be shown in addition to Fleetwright's. */
export class ContentIsNewerError extends Error {
  override readonly name = 'ContentIsNewerError';
}

/** Backup of unsaved edits that VS Code stores for the next window. */
export interface Backup {
  readonly text: string;
  readonly stat: FileStat;
}

/** An entry of the undo stack. Two entries with the same text are distinct, as in VS Code. */
interface TextState {
  readonly text: string;
}

/**
 * A text editor that simulates VS Code with one file: an undo stack with a saved state, concurrent
 * reading of stat and text, an etag of time and size, a check before each write that compares only
 * the size, a stat after each write, and the reload of a clean document when the file changes.
 *
 * The events sent to the extension host, their order, and their `isDirty` values are those that
 * `test/host/editorEvents.test.ts` records in a real VS Code, including the misleading ones.
 */
export class ScriptedEditor {
  orphaned = false;
  /** Number of text changes by edits, Undo, and Redo. */
  changes = 0;
  /** Called with each text that the editor loads from the file. */
  onDidLoad: ((text: string) => void) | undefined;
  private states: TextState[] = [{ text: '' }];
  private position = 0;
  private savedState: TextState | undefined;
  private dirtyFlag = false;
  private stat: FileStat = { mtime: 0, size: 0 };
  private reloads: Promise<void> = Promise.resolve();
  private saves: Promise<void> = Promise.resolve();
  private savesRunning = 0;
  private closed = false;
  /**
   * Edits that will be restored over the text that is being loaded; in VS Code, this takes a few
   * milliseconds.
   */
  private replaced: string | undefined;

  constructor(private readonly file: DocumentFile) {
    file.onDidChangeFile((change) => {
      if (this.closed) return;
      this.reloads = this.reloads.then(() => this.onFileChange(change));
    });
    file.onDidReplaceEdits((text) => {
      this.replaced = text;
    });
  }

  get text(): string {
    return this.current.text;
  }

  /** All versions of the text that Undo and Redo can restore. */
  get texts(): readonly string[] {
    return this.states.map(({ text }) => text);
  }

  get dirty(): boolean {
    return this.dirtyFlag;
  }

  get isSaving(): boolean {
    return this.savesRunning > 0;
  }

  async open(): Promise<this> {
    const { stat, text } = await this.load();
    this.stat = stat;
    this.states = [{ text }];
    this.position = 0;
    this.savedState = this.current;
    this.onDidLoad?.(text);
    this.noteSavedState(false);
    return this;
  }

  /**
   * Continues from a backup of an earlier window. VS Code doesn't read the file, and reports the
   * document as clean if the extension host starts after the edits were restored.
   */
  restore({ text, stat }: Backup, reportedDirty = false): this {
    this.states = [{ text }];
    this.position = 0;
    this.stat = stat;
    this.dirtyFlag = true;
    this.noteSavedState(reportedDirty);
    return this;
  }

  /** Returns an editor in the same state that is connected to a new extension host. */
  meet(file: DocumentFile): ScriptedEditor {
    const editor = new ScriptedEditor(file);
    const { states, position, savedState, dirtyFlag, stat } = this;
    Object.assign(editor, { states: [...states], position, savedState, dirtyFlag, stat });
    editor.noteSavedState(dirtyFlag);
    return editor;
  }

  backup(): Backup {
    return { text: this.text, stat: this.stat };
  }

  edit(change: (text: string) => string): void {
    const text = change(this.text);
    if (text === this.text) return;
    this.push(text);
    this.contentChanged();
  }

  undo(): void {
    if (this.position === 0) return;
    this.position -= 1;
    this.contentChanged();
  }

  redo(): void {
    if (this.position === this.states.length - 1) return;
    this.position += 1;
    this.contentChanged();
  }

  /**
   * Saves after any save in progress. VS Code writes even a clean document.
   * @param format formatter that runs on save
   */
  save(format: (text: string) => string = (text) => text): Promise<void> {
    this.savesRunning += 1;
    const save = this.saves.then(() => this.saveNow(format));
    this.saves = save
      .catch(() => undefined)
      .finally(() => {
        this.savesRunning -= 1;
      });
    return save;
  }

  async revert(): Promise<void> {
    const before = this.current;
    const { stat, text } = await this.load();
    // VS Code discards the loaded text if the user changed the editor's text in the meantime.
    if (this.current === before) this.show(stat, text);
  }

  /** Closes the editor and discards unsaved changes. */
  close(): void {
    this.closed = true;
    this.file.noteClosed();
  }

  /** Closes the window with its extension host, without notifying anyone. */
  abandon(): void {
    this.closed = true;
  }

  /** Changes the language mode of the document: VS Code closes and reopens it. */
  changeLanguage(): void {
    this.file.noteClosed();
    this.noteSavedState(this.dirtyFlag);
  }

  /** Waits until all file events so far are handled. */
  async waitUntilIdle(): Promise<void> {
    // Announcements take multiple promise turns to become file events.
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    await this.reloads;
  }

  private get current(): TextState {
    return this.states[this.position] ?? { text: '' };
  }

  private push(text: string): void {
    this.states = [...this.states.slice(0, this.position + 1), { text }];
    this.position += 1;
  }

  /**
   * Notifies the extension host of a text change. As recorded in VS Code, the event has the old
   * dirty flag, and a change to the flag is a separate event.
   */
  private contentChanged(): void {
    this.changes += 1;
    this.file.noteEdited(this.document(this.dirtyFlag));
    const dirty = this.current !== this.savedState;
    if (dirty === this.dirtyFlag) return;
    this.dirtyFlag = dirty;
    this.noteSavedState(dirty);
  }

  private async saveNow(format: (text: string) => string): Promise<void> {
    if (this.closed) return;
    this.edit(format);
    this.file.noteWillSave();
    const saved = this.current;
    try {
      const before = await this.file.stat().catch(() => undefined);
      const moved = before !== undefined && this.stat.mtime < before.mtime;
      if (moved && etag(this.stat) !== etag({ mtime: this.stat.mtime, size: before.size })) {
        throw new ContentIsNewerError('The content of the file is newer.');
      }
      await this.file.write(saved.text);
      const after = await this.file.stat();
      if (after.mtime >= this.stat.mtime) this.stat = after;
    } catch (error) {
      if (!this.dirtyFlag) {
        this.dirtyFlag = true;
        this.noteSavedState(true);
      }
      throw error;
    }
    this.orphaned = false;
    if (this.current === saved) {
      this.savedState = saved;
      this.dirtyFlag = false;
      this.noteSavedState(false);
    }
    // As recorded in VS Code, the saved state is reported twice, even if the user typed a different
    // text during the save.
    this.noteSavedState(false);
    this.noteSavedState(false);
  }

  private async onFileChange(change: 'changed' | 'deleted'): Promise<void> {
    if (this.closed) return;
    if (change === 'deleted') {
      this.orphaned = await this.file.stat().then(
        () => false,
        () => true,
      );
      return;
    }
    const canReload = (): boolean => !this.dirtyFlag && !this.isSaving;
    if (!canReload()) return;
    const before = this.current;
    try {
      const stat = await this.file.stat();
      if (etag(stat) === etag(this.stat)) return;
      const text = await this.file.read();
      if (canReload() && this.current === before) this.show(stat, text);
    } catch {
      // VS Code logs the error and doesn't change the editor.
    }
  }

  private async load(): Promise<{ stat: FileStat; text: string }> {
    const text = this.file.read();
    const [stat] = await Promise.all([this.file.stat(), text]);
    return { stat, text: await text };
  }

  /** Shows loaded text as the saved state. The user can undo a reload. */
  private show(stat: FileStat, text: string): void {
    if (stat.mtime >= this.stat.mtime) this.stat = stat;
    this.orphaned = false;
    const wasDirty = this.dirtyFlag;
    this.dirtyFlag = false;
    this.onDidLoad?.(text);
    if (text !== this.text) {
      this.push(text);
      this.savedState = this.current;
      this.file.noteEdited(this.document(false));
    }
    this.savedState = this.current;
    if (wasDirty) this.noteSavedState(false);
    const { replaced } = this;
    this.replaced = undefined;
    if (replaced !== undefined) this.edit(() => replaced);
  }

  private noteSavedState(isDirty: boolean): void {
    this.file.noteStateChange(this.document(isDirty));
  }

  private document(isDirty: boolean): ReportedDocument {
    return { isDirty, getText: () => this.text };
  }
}

function etag({ mtime, size }: FileStat): string {
  return `${mtime.toString(29)}${size.toString(31)}`;
}
