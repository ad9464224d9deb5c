import assert from 'node:assert/strict';
import { FleetError } from '../../../../../src/core/api/errors';
import {
  type ConfigSource,
  ContentMismatchError,
  SaveConflictError,
} from '../../../../../src/core/documents/configSource';
import type { DocumentFile } from '../../../../../src/core/documents/documentFile';
import type { WireFormat } from '../../../../../src/core/documents/jsonProblems';
import { sameJsonText, sameJsonValue } from '../../../../../src/core/documents/jsonText';
import { MemoryKeyValue } from '../../../../support/memoryPorts';
import { createDocumentFile } from './documents';
import { MemoryConfig } from './memoryConfig';
import { ScriptedEditor } from './scriptedEditor';

/** Configurable behavior of the service. */
export interface WorldOptions {
  readonly wireFormat: WireFormat;
  readonly hasVersions: boolean;
  readonly honorsVersion: boolean;
  /** True if the service reorders the keys of stored objects. */
  readonly reorders: boolean;
}

/** Content of a document. Its numbers are small, so that the same content occurs repeatedly. */
export interface Content {
  readonly rpm: number;
  readonly pin: number;
}

const START: Content = { rpm: 1, pin: 1 };

/**
 * A service with one document, another client that changes it, and a VS Code with an editor for it.
 * Every action checks these invariants:
 *
 * - After a successful save, the service had the saved text at some time during the save.
 * - A write never replaces another client's changes, unless the editor has loaded exactly these
 *   changes since or the user agreed to replace them. (Without versions, nothing can protect a
 *   change that is written between the read and the write of a save.)
 * - Every conflict is caused by another client's change.
 * - A clean editor that had time to refresh shows the service's content.
 * - The user's edits, and texts restored by Undo and Redo, stay in the editor until they are saved
 *   or the user discards them.
 */
export class DocumentWorld {
  readonly config: MemoryConfig;
  private storage = new MemoryKeyValue();
  /**
   * An earlier state of the storage, which the next window finds if VS Code is closed before
   * writing the current state.
   */
  private flushed = new Map<string, unknown>();
  private file: DocumentFile;
  private editor: ScriptedEditor;
  /** The content that the editor loaded or saved last, on which its edits are based. */
  private lineage: string;
  /** All text that this editor has sent since the last load or save. */
  private sent: string[] = [];
  /**
   * Versions of the content that the service had since the last load or save while the editor
   * showed the same content.
   */
  private shown: string[] = [];
  private approved: { readonly text: string; readonly remote: string } | undefined;
  /** The user's last edit of the text; undefined once it is saved or discarded. */
  private desired: string | undefined;
  /** The content that was loaded over edits before the edits were restored; Undo returns to it. */
  private loadedOver: string | undefined;
  private lastAuthor: 'editor' | 'elsewhere' = 'editor';
  /** True if the last change by another client was made during a save. */
  private raced = false;
  /** True if another client wrote exactly the content of the editor. */
  private coincided = false;
  /** True if another client wrote content that is also in the undo stack. */
  private ambiguous = false;
  /**
   * All versions of the content that the service has had since the start of the oldest running
   * save.
   */
  private recent: string[] = [];
  private baseMayBeLost = false;
  private reverting = false;
  /**
   * True if the service was unreachable at any time since the editor last loaded or saved the
   * document.
   */
  private unreachable = false;
  private milliseconds = 0;
  private readonly clock = { now: () => new Date(this.milliseconds) };
  private readonly failures: Error[] = [];
  private releases: (() => void)[] = [];
  private running = new Set<Promise<void>>();
  private window = new AbortController();

  private constructor(readonly options: WorldOptions) {
    this.config = new MemoryConfig(formatContent(START), options.wireFormat);
    this.config.hasVersions = options.hasVersions;
    this.config.honorsVersion = options.honorsVersion;
    if (options.reorders) this.config.normalize = reorder;

    this.config.onDidWrite = (replaced, stored) => this.onDidWrite(replaced, stored);
    // Further edits continue from text that the service might have stored.
    this.config.onDidLoseWrite = (text) => void this.sent.push(text);
    this.config.onDidRead = () => this.noteShown();
    this.lineage = this.config.stored;
    this.file = this.newFile();
    this.editor = this.newEditor();
  }

  static async open(options: WorldOptions): Promise<DocumentWorld> {
    const world = new DocumentWorld(options);
    await world.editor.open();
    return world;
  }

  edit(change: Partial<Content>): void {
    this.change(() => this.editor.edit((text) => withContent(text, change)));
  }

  /** Changes only white space in the text. */
  reformat(): void {
    this.change(() =>
      this.editor.edit((text) =>
        text.includes('\n') ? oneLine(text) : formatContent(parseContent(text)),
      ),
    );
  }

  undo(times: number): void {
    for (let time = 0; time < times; time += 1) this.change(() => this.editor.undo());
  }

  redo(times: number): void {
    for (let time = 0; time < times; time += 1) this.change(() => this.editor.redo());
  }

  changeLanguage(): void {
    this.editor.changeLanguage();
  }

  /**
   * Starts a save, which can still be in progress when this method returns, for example because its
   * response is delayed.
   */
  save(format: boolean): void {
    if (this.reverting) return;

    const start = this.recent.length;
    if (!this.editor.isSaving) this.recent = [this.config.stored];

    const from = this.editor.isSaving ? Math.max(0, start - 1) : 0;
    const { editor } = this;
    const { signal } = this.window;
    let text = editor.text;
    const save = editor.save((before) => {
      text = format ? formatContent(parseContent(before)) : before;
      if (format) this.setDesired(text);

      return text;
    });
    this.track(
      save.then(
        () => signal.aborted || this.onDidSave(text, this.recent.slice(from)),
        (error: unknown) => signal.aborted || this.onDidFailToSave(error),
      ),
    );
  }

  /** Saves like Auto Save, which saves only dirty documents. */
  autoSave(): void {
    if (this.editor.dirty) this.save(false);
  }

  revert(): void {
    if (this.editor.isSaving || this.reverting) return;

    this.reverting = true;
    this.desired = undefined;
    const revert = this.editor.revert().finally(() => {
      this.reverting = false;
    });
    this.track(revert.catch(ignoreFleetErrors));
  }

  /** Reads the file as another feature, such as a search, does. */
  readFile(): void {
    this.track(
      Promise.all([this.file.stat(), this.file.read()]).then(() => undefined, ignoreFleetErrors),
    );
  }

  /** Simulates the window receiving the focus. */
  focus(): void {
    this.track(this.file.refresh());
  }

  /** Saves after the user agreed to replace the service's content. */
  overwrite(): void {
    if (this.editor.isSaving) return;

    const { text } = this.editor;
    this.track(
      this.file.readNow().then((remote) => {
        this.file.approve(text, remote);
        this.approved = { text, remote: remote.text };
        if (this.editor.text === text) this.save(false);
      }, ignoreFleetErrors),
    );
  }

  changeElsewhere(content: Content, announce: boolean): void {
    this.changeTextElsewhere(formatContent(content), announce);
  }

  /** Changes the document as another client and reverts the change. */
  changeBackAndForth(content: Content): void {
    const { stored } = this.config;
    this.changeTextElsewhere(formatContent(content), false);
    this.changeTextElsewhere(stored, true);
  }

  /** Schedules a write by another client immediately before the next write. */
  changeBeforeNextWrite(content: Content): void {
    this.config.beforeWrite = () => this.changeTextElsewhere(formatContent(content), false);
  }

  setOffline(offline: boolean): void {
    this.unreachable ||= offline;
    this.config.offline = offline;
  }

  setDeleted(deleted: boolean): void {
    this.unreachable ||= deleted;
    this.config.deleted = deleted;
    this.config.announce();
  }

  setDropsResponses(losesAnswer: boolean): void {
    this.config.losesAnswer = losesAnswer;
  }

  delayResponses(): void {
    this.releases.push(this.config.holdAnswers());
  }

  /** Delays responses, starting with the next write; earlier reads get their responses. */
  delayResponsesAfterWrite(): void {
    this.config.onWillWrite = () => this.delayResponses();
  }

  releaseResponses(): void {
    this.config.onWillWrite = undefined;
    for (const release of this.releases.splice(0)) release();
  }

  /** Writes the extension's state to disk, so that the next window finds it. */
  flushStorage(): void {
    this.flushed = new Map(this.storage.values);
  }

  /** Reloads the window during calls, whose responses are lost. */
  async reloadDuringCalls(): Promise<void> {
    await this.runPendingWork();
    // At this time, edits that VS Code considers saved aren't restored yet.
    this.unreachable = true;
    await this.startWindow(true);
  }

  /** Reloads the window and restores unsaved edits from their backup. */
  async reload(flushed: boolean): Promise<void> {
    await this.finishCalls();
    await this.startWindow(flushed);
  }

  private async startWindow(flushed: boolean): Promise<void> {
    if (flushed) this.flushStorage();
    else this.loseStorage();

    const { dirty } = this.editor;
    // If the user edits the text during a save and then returns to the saved text, VS Code reports
    // the document as clean from then on.
    if (dirty && this.file.editorState === 'clean') this.baseMayBeLost = true;

    if (!dirty) this.dropEditor();

    const backup = this.editor.backup();
    this.endWindow();
    this.storage = new MemoryKeyValue();
    for (const [key, value] of this.flushed) void this.storage.update(key, value);

    this.file = this.newFile();
    this.editor = this.newEditor();
    if (dirty) {
      this.editor.restore(backup);
      return;
    }
    await this.reopen();
  }

  /**
   * Simulates lost storage: the next window finds an older base and doesn't notice a change that
   * was reverted.
   */
  private loseStorage(): void {
    this.baseMayBeLost = true;
    this.desired = undefined;
    for (const stored of this.flushed.values()) {
      const { text } = stored as { readonly text: string };
      this.shown.push(text);
    }
  }

  /** Restarts the extension host; the editors stay open. */
  async restartHost(): Promise<void> {
    await this.finishCalls();
    this.baseMayBeLost = true;
    this.desired = undefined;
    this.file.dispose();
    this.file = this.newFile();
    const before = this.editor;
    this.editor = before.meet(this.file);
    this.editor.onDidLoad = before.onDidLoad;
  }

  /** Closes the editor without saving, and opens a new one. */
  async closeAndOpen(): Promise<void> {
    await this.finishCalls();
    this.dropEditor();
    this.editor.close();
    this.editor = this.newEditor();
    await this.reopen();
  }

  /** Runs all pending work that doesn't depend on a delayed response. */
  async runPendingWork(): Promise<void> {
    for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();

    this.milliseconds += 1_000;
    this.assertNoFailure();
  }

  /**
   * Ends all simulated failures and delays, refreshes, and checks that the editor and the service
   * agree.
   */
  async finish(): Promise<void> {
    this.setOffline(false);
    this.setDropsResponses(false);
    this.config.deleted = false;
    await this.finishCalls();
    this.milliseconds += 10_000;
    await this.file.refresh();
    await this.editor.waitUntilIdle();
    await this.runPendingWork();
    if (!this.editor.dirty) this.assertSame(this.editor.text, this.config.stored, 'a clean editor');

    if (this.desired !== undefined) this.assertSame(this.desired, this.editor.text, 'the user');
    this.assertNoFailure();
  }

  dispose(): void {
    this.releaseResponses();
    this.editor.close();
    this.file.dispose();
  }

  /**
   * Ends the current window: its calls still take effect, but it no longer receives their results.
   */
  private endWindow(): void {
    this.window.abort();
    this.window = new AbortController();
    this.running = new Set();
    this.reverting = false;
    this.releaseResponses();
    this.editor.abandon();
    this.file.dispose();
  }

  private newFile(): DocumentFile {
    const source = disconnectOnAbort(this.config, this.window.signal);
    const file = createDocumentFile(source, this.storage, this.clock);
    file.onDidReplaceEdits(() => {
      // If the edits can't be distinguished from loaded text, restoring text causes a prompt.
      if (this.desired === undefined) this.baseMayBeLost = true;
    });
    return file;
  }

  private newEditor(): ScriptedEditor {
    this.loadedOver = undefined;
    const editor = new ScriptedEditor(this.file);
    editor.onDidLoad = (text) => {
      this.loadedOver = this.hasEdits() ? text : undefined;
      // The window restores the edits, which keep their base.
      if (this.hasEdits()) return;

      this.desired = undefined;
      this.startFrom(text);
    };
    return editor;
  }

  private async reopen(): Promise<void> {
    try {
      await this.editor.open();
    } catch (error) {
      ignoreFleetErrors(error);
      // The editor shows the error; the user's next attempt to open the document succeeds.
      const { offline, deleted } = this.config;
      Object.assign(this.config, { offline: false, deleted: false });
      await this.file.refresh();
      await this.editor.open();
      Object.assign(this.config, { offline, deleted });
    }
  }

  private async finishCalls(): Promise<void> {
    do {
      this.releaseResponses();
      await Promise.all(this.running);
      await this.runPendingWork();
    } while (this.running.size > 0);
    await this.editor.waitUntilIdle();
  }

  private changeTextElsewhere(text: string, announce: boolean): void {
    this.config.editElsewhere(text);
    this.lastAuthor = 'elsewhere';
    this.raced = this.editor.isSaving;
    this.coincided ||= this.isSame(text, this.editor.text);
    // Undo can then restore content that the service no longer has at the next refresh.
    this.ambiguous ||= this.editor.texts.some((known) => this.isSame(text, known));
    this.recent.push(text);
    if (announce) this.config.announce();
  }

  private onDidWrite(replaced: string, stored: string): void {
    const { hasVersions, honorsVersion } = this.options;
    const canReplace =
      this.lastAuthor === 'editor' ||
      (this.raced && !(hasVersions && honorsVersion)) ||
      this.isApproved(replaced, stored) ||
      [this.lineage, ...this.sent, ...this.shown].some((text) => this.isSame(text, replaced));
    this.fail(canReplace, `a write replaced ${replaced} of another client without a question`);
    this.lastAuthor = 'editor';
    this.sent.push(stored);
    this.recent.push(stored);
  }

  private isApproved(replaced: string, stored: string): boolean {
    const { approved } = this;
    if (!approved) return false;

    return this.isSame(approved.remote, replaced) && sameJsonValue(approved.text, stored);
  }

  private onDidSave(text: string, during: readonly string[]): void {
    const stored = during.findLast((candidate) => sameJsonValue(candidate, text));
    this.fail(
      stored !== undefined,
      `a save of ${oneLine(text)} succeeded although the service never held it`,
    );
    this.startFrom(stored ?? text);
    this.shown.push(text);
    if (!this.hasEdits()) this.desired = undefined;
  }

  private onDidFailToSave(error: unknown): void {
    if (error instanceof SaveConflictError) {
      if (error.base === undefined || this.baseMayBeLost) {
        this.fail(this.baseMayBeLost, 'a save did not know its base');
        return;
      }
      const { text } = error.remote;
      // True if the service had only the base content since the editor loaded it.
      const started =
        !this.coincided && this.shown.every((stored) => this.isSame(stored, this.lineage));
      const isLoaded = started && this.isSame(text, this.lineage);
      this.fail(!isLoaded, 'a conflict with what the editor had loaded');
      // Another client might have written exactly the text that this editor sent.
      const isOwn = this.lastAuthor === 'editor' && this.sent.some((own) => this.isSame(own, text));
      this.fail(!isOwn, 'a conflict with an own save');
      return;
    }
    if (error instanceof ContentMismatchError) return;

    ignoreFleetErrors(error);
  }

  /** Sets the content on which further edits are based. */
  private startFrom(text: string): void {
    this.loadedOver = undefined;
    this.unreachable = this.config.offline || this.config.deleted;
    this.lineage = text;
    this.sent = [];
    this.shown = [];
    // A save that the user has approved might still be waiting for another save.
    if (!this.editor.isSaving) this.approved = undefined;

    this.baseMayBeLost = false;
  }

  /**
   * Returns true if the user's text differs from both the base of the edits and the service's
   * content.
   */
  private hasEdits(): boolean {
    const { desired } = this;
    return (
      desired !== undefined &&
      ![this.lineage, ...this.shown].some((text) => sameJsonValue(text, desired))
    );
  }

  /**
   * Called when VS Code drops an editor, which causes a prompt only if the editor is dirty. If the
   * service is unreachable, nothing can make VS Code load the stored content.
   */
  private dropEditor(): void {
    const isKnown = this.editor.dirty || this.unreachable || !this.hasEdits();
    this.fail(isKnown, 'a clean editor was closed over edits');
    this.desired = undefined;
  }

  /**
   * Records the text that must stay in the editor. Records nothing if edits can't be distinguished
   * from loaded text because the base is missing, or during a revert, which discards all edits.
   */
  private setDesired(text: string): void {
    const isKnown = !this.reverting && !this.baseMayBeLost && !this.ambiguous;
    this.desired = isKnown ? text : undefined;
  }

  /** Records the service's content if the editor happens to show the same content. */
  private noteShown(): void {
    const { stored } = this.config;
    if (this.isSame(stored, this.editor.text)) this.shown.push(stored);
  }

  /** Runs an action by which the user changes the text. */
  private change(act: () => void): void {
    const { changes } = this.editor;
    act();
    if (this.editor.changes !== changes) this.setDesired(this.editor.text);

    if (this.editor.text === this.loadedOver) this.startFrom(this.loadedOver);

    this.noteShown();
  }

  private track(work: Promise<unknown>): void {
    const tracked = work
      .then(() => undefined)
      .catch((error: unknown) => void this.failures.push(toError(error)))
      .finally(() => this.running.delete(tracked));
    this.running.add(tracked);
  }

  private isSame(left: string, right: string): boolean {
    return this.options.wireFormat === 'text'
      ? sameJsonText(left, right)
      : sameJsonValue(left, right);
  }

  private assertSame(shown: string, stored: string, what: string): void {
    assert.ok(
      sameJsonValue(shown, stored),
      `${what} shows ${oneLine(shown)}, the service holds ${oneLine(stored)}`,
    );
  }

  private fail(holds: boolean, message: string): void {
    if (!holds) this.failures.push(new Error(message));
  }

  private assertNoFailure(): void {
    const [failure] = this.failures;
    if (failure) throw failure;
  }
}

/**
 * Wraps the source for one window: after `signal` is aborted, it sends nothing and receives no
 * responses.
 */
function disconnectOnAbort(source: ConfigSource, signal: AbortSignal): ConfigSource {
  const pending = new Promise<never>(() => undefined);
  const call = <T>(send: () => Promise<T>): Promise<T> => {
    if (signal.aborted) return pending;

    return send().then(
      (answer) => (signal.aborted ? pending : answer),
      (error: unknown) => (signal.aborted ? pending : Promise.reject(toError(error))),
    );
  };
  return {
    wireFormat: source.wireFormat,
    read: (readSignal) => call(() => source.read(readSignal)),
    write: (request) => call(() => source.write(request)),
    onDidChange: (listener) => source.onDidChange(listener),
  };
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function ignoreFleetErrors(error: unknown): void {
  if (!(error instanceof FleetError)) throw error;
}

function formatContent({ rpm, pin }: Content): string {
  return `{\n  "rpm": ${rpm},\n  "pin": ${pin}\n}`;
}

function parseContent(text: string): Content {
  return JSON.parse(text) as Content;
}

function withContent(text: string, change: Partial<Content>): string {
  return Object.entries(change).reduce(
    (changed, [key, value]) => changed.replace(new RegExp(`("${key}": ?)\\d+`), `$1${value}`),
    text,
  );
}

function reorder(text: string): string {
  const { rpm, pin } = parseContent(text);
  return `{"pin":${pin},"rpm":${rpm}}`;
}

function oneLine(text: string): string {
  return JSON.stringify(JSON.parse(text));
}
